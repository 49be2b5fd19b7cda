package naming

import "testing"

func TestSnakeAddsAnUnderscoreWhereAWordBegins(t *testing.T) {
	for name, want := range map[string]string{
		"X": "x", "XY": "xy", "URL": "url", "TypeKey": "type_key", "maxDepth": "max_depth", "parseURL": "parse_url",
		"HTTPServer": "http_server", "ID2Name": "id2_name", "x2Y": "x2_y", "snake_already": "snake_already",
		"Snake_Already": "snake_already", "Snake_XY": "snake_xy", "_X": "_x", "Class": "class", "Größe": "größe", "ÄußereGröße": "äußere_größe",
		"名Kanji": "名_kanji", "": "",
	} {
		if got := Snake(name); got != want {
			t.Errorf("Snake(%q) = %q, want %q", name, got, want)
		}
		if again := Snake(want); again != want {
			t.Errorf("Snake(%q) = %q: a name in snake case is another one", want, again)
		}
	}
}

func TestAWordMayHaveCapitalsInside(t *testing.T) {
	for name, want := range map[string]string{
		"IPv4Mask": "ipv4_mask", "IPv6": "ipv6", "ParseIPv4": "parse_ipv4", "IPv6LinkLocal": "ipv6_link_local", "TLSv12": "tlsv12",
		"IPNet": "ip_net", "IDs": "ids", "GetIDs": "get_ids", "URLsOf": "urls_of", "RootCAs": "root_cas", "HTTPSource": "http_source",
		"XMLName": "xml_name", "UTF8String": "utf8_string", "OAuth2Token": "oauth2_token", "NewOAuth": "new_oauth", "AllowNaN": "allow_nan", "OAuthor": "o_author",
		"ETag": "etag", "RRule": "rrule", "StrToRRuleSet": "str_to_rrule_set", "RRules": "rrules", "EMail": "email", "EMailer": "e_mailer", "ETags": "etags", "GraphQLServer": "graphql_server", "UInt64": "uint64", "PutUInt": "put_uint", "SQLiteDB": "sqlite_db",
		"Vec3D": "vec3d", "Plot2DArray": "plot2d_array", "Vec3Data": "vec3_data", "X509KeyPair": "x509_key_pair", "SHA256Sum": "sha256_sum",
		"Save_IDs": "save_ids", "Is": "is", "AsIs": "as_is", "QRs2": "qrs2",
	} {
		if got := Snake(name); got != want {
			t.Errorf("Snake(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSeveralAcronymsAreSeveralWords(t *testing.T) {
	for name, want := range map[string]string{
		"EnableSMTPUTF8": "enable_smtp_utf8", "JSONAPI": "json_api", "HTTPAPIServer": "http_api_server", "ParseJSONURLs": "parse_json_urls",
		"HTTPS": "https", "ListenHTTPS": "listen_https", "HTTPSProxy": "https_proxy", "EncryptedDNSSEC": "encrypted_dnssec", "RootCAs": "root_cas",
		"New2Q": "new_2q", "New2QParams": "new_2q_params", "Enable2FA": "enable_2fa", "Int64N": "int64_n", "Sha256Sum": "sha256_sum",
		"P2PNode": "p2p_node", "K8sClient": "k8s_client", "PATHID": "pathid", "TLSHTTP2": "tls_http2", "UseXMLHTTPRequest": "use_xml_http_request",
	} {
		if got := Snake(name); got != want {
			t.Errorf("Snake(%q) = %q, want %q", name, got, want)
		}
		if again := Snake(want); again != want {
			t.Errorf("Snake(%q) = %q: a name in snake case is another one", want, again)
		}
	}
}

func TestIdentifiersAreNamesInTheLanguage(t *testing.T) {
	for _, c := range []struct {
		language         *Language
		name, identifier string
	}{
		{Python, "x", "x"},
		{Python, "class", "class_"},
		{Python, "None", "None_"},
		{Python, "match", "match"},
		{Python, "a-b", "a_b"},
		{Python, "2d", "_2d"},
		{Python, "", "_"},
		{Python, "größe", "größe"},
		{Python, "taken", "taken_"},
		{Rust, "größe", "gr__e"},
		{Rust, "fn", "fn_"},
		{Rust, "class", "class"},
		{Rust, "٣", "__"},
		{Rust, "", "__"},
		{Go, "-", "__"},
		{Python, "-", "_"},
		{Cpp, "errno", "errno_"},
		{Cpp, "class", "class_"},
		{Cpp, "2d", "_2d"},
		{Cpp, "taken", "taken_"},
	} {
		if got := c.language.Identifier(c.name, "taken"); got != c.identifier {
			t.Errorf("Identifier(%q) = %q, want %q", c.name, got, c.identifier)
		}
	}
}

func TestIdentifiersAreRecognised(t *testing.T) {
	for name, want := range map[string]bool{"x": true, "_": true, "größe": true, "a1": true, "1a": false, "": false, "a-b": false, "a b": false} {
		if got := IsIdentifier(name); got != want {
			t.Errorf("IsIdentifier(%q) = %v, want %v", name, got, want)
		}
	}
}

// The names are those that Python makes of each: unicodedata.normalize("NFKC", name), marks apart.
func TestNamesAreInTheNormalFormOfPython(t *testing.T) {
	for name, want := range map[string]string{
		"add": "add", "größe": "größe", "": "", "Ａdd": "Add", "ａｄｄ２": "add2", "ﬁeld": "field", "µ": "μ", "K": "K", "Ω": "Ω", "Å": "Å",
		"Ǆ": "DŽ", "ŉ": "ʼn", "𝔘𝔫𝔦𝕔𝕠𝕕𝕖𝟙": "Unicode1", "ﷺ": "صلىاللهعليهوسلم", "ﾊﾟ": "ハ", "豈": "豈", "각": "각", "한글": "한글", "ㄱ": "ᄀ",
		"\u0958": "क", "x\xff": "x\xff",
	} {
		if got := Normal(name); got != want {
			t.Errorf("Normal(%q) = %q, want %q", name, got, want)
		}
		if again := Normal(want); again != want {
			t.Errorf("Normal(%q) = %q: a name in normal form is another one", want, again)
		}
	}
	for _, pair := range [][2]string{{"Add", "Ａdd"}, {"Size", "Ｓize"}, {"DŽ", "Ǆ"}, {"Aﬁ", "Afi"}, {"HTTPServer", "ＨＴＴＰServer"}} {
		if one, other := Snake(pair[0]), Snake(pair[1]); one != other {
			t.Errorf("Snake(%q) = %q, Snake(%q) = %q", pair[0], one, pair[1], other)
		}
		if one, other := Python.Identifier(pair[0]), Python.Identifier(pair[1]); one != other {
			t.Errorf("Python.Identifier(%q) = %q, Python.Identifier(%q) = %q", pair[0], one, pair[1], other)
		}
	}
}

func TestTheKnownNameThatIsMostLikeAnUnknownOneIsTold(t *testing.T) {
	for name, want := range map[string]string{"wats": "; did you mean 'watts'?", "size": "", "rad": "; did you mean 'red'?", "": ""} {
		if got := DidYouMean(name, []string{"names", "red", "watts"}); got != want {
			t.Errorf("DidYouMean(%q) = %q, want %q", name, got, want)
		}
	}
}
