package naming

import (
	"slices"
	"strings"
	"unicode"
)

// acronyms are those that names write without a mark between them, as in SMTPUTF8 and JSONAPI.
var acronyms = strings.Fields(`ACL ACME AES API APNS ARN ARP ASCII AST ASN AWS BGP BOM CBC CDN CGI CIDR CLI CORS CPU CRC CRD CRL CRLF CSR CSRF
	CSS CSV DDL DDOS DHCP DNS DOM DPI DSA DSN DTO EBNF ECDSA EOF ETL FAQ FIFO FTP GCM GCP GPG GPS GPU GRPC GTIN GUI GUID HDR HMAC HTML
	HTTP HTTPS ICMP IMAP IPC IRC ISBN ISO JSON JWE JWK JWKS JWS JWT LAN LDAP LIFO LMTP LRU LTS MAC MIME MQTT MTU NAT NFS NTP OCI OCSP OIDC OTP
	PDF PEM PHP PID PKCS PKI PNG POP POSIX QPS QUIC RAM REPL REST RFC RGB RGBA RPC RPM RSA RSS RTT SAML SASL SCP SDK SFTP SHA SLA SMS
	SMTP SNI SOAP SQL SSD SSE SSH SSL SSO STUN SVG TCP TLS TOML TOTP TTL TTY TURN UDP UID UPC UPS URI URL URN USB UTC UTF UUID VAT VLAN VPC VPN
	WAL WAN WASM WSDL XML XMPP XPATH XSD XSL XSLT XSRF XSS YAML CA DB ID IO IP MX NS OS PK TX UI VM`)

// digitWords are words that begin with a digit behind another word, as in New2Q.
var digitWords = strings.Fields("2FA 2PC 2Q 3DES 3PC 4K 8K")

// acronymWithin returns the length of the first of several acronyms in the capitals at the beginning of a text; 0 where they are
// not all known, or are one word.
func acronymWithin(runes []rune) int {
	n := 0
	for n < len(runes) && unicode.IsUpper(runes[n]) {
		n++
	}
	if isLowerAt(runes, n) && !(runes[n] == 's' && !isLowerAt(runes, n+1)) {
		n-- // the last capital begins the next word
	}
	if n < 5 || slices.Contains(acronyms, string(runes[:n])) {
		return 0
	}
	return firstAcronym(string(runes[:n]))
}

// firstAcronym returns the length of the first of the acronyms that capitals consist of, the longest that leaves acronyms; 0 for none.
func firstAcronym(capitals string) int {
	for n := len(capitals); n > 1; n-- {
		if slices.Contains(acronyms, capitals[:n]) && (n == len(capitals) || firstAcronym(capitals[n:]) > 0) {
			return n
		}
	}
	return 0
}

// digitWordWithin returns the length of the word with a digit in front at the beginning of a text, 0 for none.
func digitWordWithin(runes []rune) int {
	for _, word := range digitWords {
		if n := len(word); len(runes) >= n && string(runes[:n]) == word && !isLowerAt(runes, n) {
			return n
		}
	}
	return 0
}
