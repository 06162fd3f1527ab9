// Checks our checkpoints and proofs with Go's own golang.org/x/mod/sumdb: note opens them, tlog checks the proofs.
//
// Reads one JSON object from standard input, and writes what it found as another. Cosignatures (C2SP tlog-cosignature)
// are younger than sumdb/note, which takes a verifier of one's own: the one here is written from that specification.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type proof struct {
	Size, Root, Old, OldRoot string // of a consistency proof
	Index, Leaf              string // of an inclusion proof
	Path                     []string
}

type asked struct {
	Note, House, Witness   string
	Consistency, Inclusion []proof
}

type told struct {
	Text       string
	Signers    []string
	Wrong      []string
	Note, VKey string // signed here, for the other side to open
}

type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 72 {
		return false
	}
	head := fmt.Sprintf("cosignature/v1\ntime %d\n", binary.BigEndian.Uint64(sig))
	return ed25519.Verify(c.key, append([]byte(head), msg...), sig[8:])
}

func main() {
	var in asked
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	out := told{}
	out.open(in)
	for _, p := range in.Consistency {
		if err := tlog.CheckTree(hashes(p.Path), number(p.Size), hash(p.Root), number(p.Old), hash(p.OldRoot)); err != nil {
			out.Wrong = append(out.Wrong, "consistency "+p.Old+" "+p.Size+": "+err.Error())
		}
	}
	for _, p := range in.Inclusion {
		if err := tlog.CheckRecord(hashes(p.Path), number(p.Size), hash(p.Root), number(p.Index), hash(p.Leaf)); err != nil {
			out.Wrong = append(out.Wrong, "inclusion "+p.Index+" "+p.Size+": "+err.Error())
		}
	}
	out.sign()
	json.NewEncoder(os.Stdout).Encode(out)
}

func (out *told) open(in asked) {
	house, err := note.NewVerifier(in.House)
	if err != nil {
		out.Wrong = append(out.Wrong, err.Error())
		return
	}
	known := []note.Verifier{house}
	if in.Witness != "" {
		known = append(known, cosignerOf(in.Witness))
	}
	opened, err := note.Open([]byte(in.Note), note.VerifierList(known...))
	if err != nil {
		out.Wrong = append(out.Wrong, err.Error())
		return
	}
	out.Text = opened.Text
	for _, sig := range opened.Sigs {
		out.Signers = append(out.Signers, sig.Name)
	}
}

func (out *told) sign() {
	private, public, err := note.GenerateKey(rand.Reader, "go.example/log")
	if err != nil {
		panic(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		panic(err)
	}
	root := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	signed, err := note.Sign(&note.Note{Text: "go.example/log\n42\n" + root + "\n"}, signer)
	if err != nil {
		panic(err)
	}
	out.Note, out.VKey = string(signed), public
}

func cosignerOf(vkey string) cosigner {
	parts := strings.SplitN(vkey, "+", 3)
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	if err != nil {
		panic(err)
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 33 || raw[0] != 4 {
		panic("no cosigner's key")
	}
	return cosigner{parts[0], uint32(hash), ed25519.PublicKey(raw[1:])}
}

func hashes(path []string) []tlog.Hash {
	found := []tlog.Hash{}
	for _, each := range path {
		found = append(found, hash(each))
	}
	return found
}

func hash(text string) tlog.Hash {
	found, err := tlog.ParseHash(text)
	if err != nil {
		panic(err)
	}
	return found
}

func number(text string) int64 {
	found, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return found
}
