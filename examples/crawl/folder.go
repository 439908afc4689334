package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// What lies in the folder of a crawl.
const (
	pagesDir    = "pages"      // a file for each page
	indexFile   = "index.md"   // written in the end
	changesFile = "changes.md" // in its place by a crawl that comes again
	planFile    = "crawl.json" // the plan, as long as the crawl is unfinished
	doneFile    = ".done.json" // the plan of the last crawl that has ended, for -since
	stateDir    = ".winnow"    // the engine's
)

// folder is where a crawl writes. All writing goes through root, which no name and no
// symbolic link leads out of.
type folder struct {
	dir     string
	root    *os.Root
	plan    plan
	resumed bool
	ours    bool // a temporary one, made for this run
}

// openFolder opens the folder of an unfinished crawl, or one for a new crawl.
func openFolder(s settings) (_ *folder, err error) {
	f := &folder{dir: s.out, plan: s.plan, resumed: s.resume}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	if f.root, err = os.OpenRoot(f.dir); err != nil {
		return nil, f.without(err)
	}
	switch {
	case f.resumed:
		err = f.readPlan(s)
	case s.plan.Since:
		err = f.comeAgain(s)
	default:
		err = f.checkFree()
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// prepare makes the folder of a new crawl.
func (f *folder) prepare() (err error) {
	switch {
	case f.resumed:
		return nil
	case f.dir == "":
		f.ours = true
		f.dir, err = os.MkdirTemp("", "winnow-crawl-")
		return err
	}
	return os.MkdirAll(f.dir, 0o755)
}

// checkFree: an earlier crawl's files are never mixed with those of another.
func (f *folder) checkFree() error {
	for _, name := range []string{planFile, indexFile, pagesDir} {
		_, err := f.root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case name == planFile:
			return fmt.Errorf("%s holds an unfinished crawl: continue it with -resume, or choose another folder", f.dir)
		default:
			return fmt.Errorf("%s holds a crawl: choose another folder, or delete its %s and %s", f.dir, indexFile, pagesDir)
		}
	}
	return nil
}

// checkWhole: a crawl comes again to a site of which there is one that has ended.
func (f *folder) checkWhole() error {
	if _, err := f.root.Lstat(planFile); err == nil {
		return fmt.Errorf("%s holds an unfinished crawl: continue it with -resume", f.dir)
	}
	if _, err := f.root.Lstat(pagesDir); err != nil {
		return fmt.Errorf("%s holds no crawl to go on from", f.dir)
	}
	return nil
}

// comeAgain takes from the plan of the folder's last crawl what the command line doesn't give. Folders of earlier versions have none.
func (f *folder) comeAgain(s settings) error {
	if err := f.checkWhole(); err != nil {
		return err
	}
	was, err := f.read(doneFile)
	if err == nil {
		f.plan, err = s.again(was)
	} else if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// list is the file that says what a crawl came to.
func (f *folder) list() string {
	if f.plan.Since {
		return changesFile
	}
	return indexFile
}

// maxPlanLen bounds what is read of a plan, in bytes.
const maxPlanLen = 64 << 10

func (f *folder) readPlan(s settings) error {
	was, err := f.read(planFile)
	if err != nil {
		return f.without(err)
	}
	f.plan, err = s.resumed(was)
	return err
}

func (f *folder) read(name string) (p plan, err error) {
	file, err := f.root.Open(name)
	if err != nil {
		return p, err
	}
	defer file.Close()
	if err := json.NewDecoder(io.LimitReader(file, maxPlanLen)).Decode(&p); err != nil || p.Key == "" {
		return p, fmt.Errorf("%s is damaged: start the crawl again in another folder", f.path(name))
	}
	return p, nil
}

// without explains a missing folder or plan.
func (f *folder) without(err error) error {
	if f.resumed && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no unfinished crawl", f.dir)
	}
	return err
}

// claim writes the plan, before the job begins: from here on the crawl can be resumed.
// Of two programs that want the folder at once, one gets it.
func (f *folder) claim() error {
	f.plan.Key = rand.Text()
	data, err := json.Marshal(f.plan)
	if err != nil {
		return err
	}
	file, err := f.root.OpenFile(planFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(data, '\n'))
	return errors.Join(err, file.Close())
}

// finish puts the plan aside: nothing is left to resume.
func (f *folder) finish() error { return f.root.Rename(planFile, doneFile) }

// withdraw removes the plan of a crawl that could not be started.
func (f *folder) withdraw() error { return f.root.Remove(planFile) }

// close releases the folder, after the engine is closed. An empty temporary one
// is removed.
func (f *folder) close() {
	useless := f.ours && f.checkFree() == nil
	_ = f.root.Close() // a handle of a folder: nothing to lose
	if useless {
		_ = os.RemoveAll(f.dir) // one that stays does no harm
	}
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

// state is the engine's folder.
func (f *folder) state() string {
	if f.plan.Dir != "" {
		return f.plan.Dir
	}
	return f.path(stateDir)
}
