package install

import (
	"bufio"
	"cmp"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// defaultRegistry is npm's own default.
const defaultRegistry = "https://registry.npmjs.org"

// registry is where npm packages come from, read from the machine's npm configuration.
type registry struct {
	settings map[string]string // of npmrc files, the strongest first
	getenv   func(string) string
	fallback string
}

// npmVariable is how an npmrc file names an environment variable.
var npmVariable = regexp.MustCompile(`\$\{[A-Za-z0-9_]+\}`)

// findRegistry reads the npm configuration in npm's own order: environment, project, user, global file; for missing settings it runs npm.
func findRegistry(ctx context.Context, getenv func(string) string) *registry {
	r := &registry{settings: map[string]string{}, getenv: getenv, fallback: defaultRegistry}
	for _, file := range npmrcFiles(getenv) {
		r.read(file)
	}
	if r.env("registry") == "" && r.settings["registry"] == "" {
		if answer := askNpm(ctx); answer != "" {
			r.fallback = answer
		}
	}
	return r
}

// npmrcFiles lists the files, the strongest first: the project's, the user's, the global ones.
func npmrcFiles(getenv func(string) string) []string {
	var files []string
	if wd, err := os.Getwd(); err == nil {
		for dir := wd; ; dir = filepath.Dir(dir) {
			files = append(files, filepath.Join(dir, ".npmrc"))
			if exists(filepath.Join(dir, "package.json")) || exists(filepath.Join(dir, "node_modules")) || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	if user := cmp.Or(getenv("npm_config_userconfig"), getenv("NPM_CONFIG_USERCONFIG")); user != "" {
		files = append(files, user)
	} else if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".npmrc"))
	}
	if global := cmp.Or(getenv("npm_config_globalconfig"), getenv("NPM_CONFIG_GLOBALCONFIG")); global != "" {
		return append(files, global)
	}
	if prefix := cmp.Or(getenv("npm_config_prefix"), getenv("NPM_CONFIG_PREFIX"), getenv("PREFIX")); prefix != "" {
		files = append(files, filepath.Join(prefix, "etc", "npmrc"))
	}
	return append(files, "/usr/local/etc/npmrc", "/usr/etc/npmrc", "/etc/npmrc")
}

// read takes the settings of one file that no stronger one has made.
func (r *registry) read(file string) {
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 0; lines.Scan() && n < 2000; n++ {
		line := strings.TrimSpace(lines.Text())
		key, value, found := strings.Cut(line, "=")
		if !found || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"'`)
		if _, set := r.settings[key]; !set {
			r.settings[key] = npmVariable.ReplaceAllStringFunc(value, func(v string) string { return r.getenv(v[2 : len(v)-1]) })
		}
	}
}

func (r *registry) env(key string) string {
	return cmp.Or(r.getenv("npm_config_"+key), r.getenv("NPM_CONFIG_"+strings.ToUpper(key)))
}

// base is the registry for a package, without a slash at the end. A scope may have one of its own.
func (r *registry) base(name string) string {
	if scope, _, found := strings.Cut(name, "/"); found && strings.HasPrefix(scope, "@") {
		if own := r.settings[scope+":registry"]; own != "" {
			return strings.TrimRight(own, "/")
		}
	}
	return strings.TrimRight(cmp.Or(r.env("registry"), r.settings["registry"], r.fallback), "/")
}

// authorization is the header value that the npm configuration gives for an address, "" for none. Like npm's it is bound to host and path.
func (r *registry) authorization(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for path := u.Path; ; path = path[:strings.LastIndexByte(path, '/')] {
		nerf := "//" + u.Host + strings.TrimRight(path, "/") + "/:"
		if token := r.settings[nerf+"_authToken"]; token != "" {
			return "Bearer " + token
		}
		if basic := r.settings[nerf+"_auth"]; basic != "" {
			return "Basic " + basic
		}
		if !strings.Contains(path, "/") {
			return ""
		}
	}
}

// askNpm runs npm, which knows further places; "" without npm.
func askNpm(ctx context.Context) string {
	path, err := exec.LookPath("npm")
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "config", "get", "registry").Output()
	answer := strings.TrimSpace(string(out))
	if err != nil || !strings.HasPrefix(answer, "http") || strings.ContainsAny(answer, " \n") {
		return ""
	}
	return answer
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
