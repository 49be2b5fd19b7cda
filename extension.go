//go:build selfsame_shared

package selfsame

import _ "github.com/selfsame-ffi/selfsame/internal/extension" // SelfsameExtensionInit
