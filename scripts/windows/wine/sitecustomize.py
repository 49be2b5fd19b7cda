"""What Python under wine must not use: it ends the process in functions of Windows that wine has not."""

import sys

sys.modules["_wmi"] = None  # type: ignore[assignment]  # `platform` asks Windows in another way then
