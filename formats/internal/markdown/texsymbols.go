package markdown

import (
	"strings"
	"unicode"
)

// symbols writes each sign of a text as TeX has it; signs without a command stay.
func symbols(s string) string {
	var b strings.Builder
	afterCommand := false
	for _, r := range s {
		command, known := commands[r]
		switch {
		case known:
			b.WriteString(command)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			if afterCommand && unicode.IsLetter(r) {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
		}
		afterCommand = known && len(command) > 2
	}
	return b.String()
}

// escapeTeX writes a text inside \text.
func escapeTeX(s string) string {
	return strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`).Replace(s)
}

// commands are the signs that have a command in TeX, and those that mean nothing to a reader.
var commands = map[rune]string{
	'{': `\{`, '}': `\}`, '%': `\%`, '#': `\#`, '&': `\&`, '$': `\$`, '\\': `\backslash`,
	'\u2061': "", '\u2062': "", '\u2063': "", '\u2064': "", '\u200B': "", '\u00A0': " ",
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ϵ': `\epsilon`, 'ε': `\varepsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'ϑ': `\vartheta`,
	'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ϖ': `\varpi`, 'ρ': `\rho`, 'ϱ': `\varrho`, 'σ': `\sigma`, 'ς': `\varsigma`,
	'τ': `\tau`, 'υ': `\upsilon`, 'ϕ': `\phi`, 'φ': `\varphi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`,
	'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`, 'Π': `\Pi`, 'Σ': `\Sigma`, 'Υ': `\Upsilon`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`,
	'∑': `\sum`, '∏': `\prod`, '∐': `\coprod`, '∫': `\int`, '∬': `\iint`, '∭': `\iiint`, '∮': `\oint`, '⋃': `\bigcup`, '⋂': `\bigcap`,
	'⨁': `\bigoplus`, '⨂': `\bigotimes`, '⋁': `\bigvee`, '⋀': `\bigwedge`,
	'−': "-", '±': `\pm`, '∓': `\mp`, '×': `\times`, '÷': `\div`, '⋅': `\cdot`, '·': `\cdot`, '∗': "*", '∘': `\circ`, '∙': `\bullet`, '⊕': `\oplus`, '⊗': `\otimes`,
	'≤': `\leq`, '≥': `\geq`, '≠': `\neq`, '≈': `\approx`, '≡': `\equiv`, '∼': `\sim`, '≃': `\simeq`, '≅': `\cong`, '∝': `\propto`, '≪': `\ll`, '≫': `\gg`,
	'∈': `\in`, '∉': `\notin`, '∋': `\ni`, '⊂': `\subset`, '⊃': `\supset`, '⊆': `\subseteq`, '⊇': `\supseteq`, '∪': `\cup`, '∩': `\cap`, '∖': `\setminus`, '∅': `\emptyset`,
	'∀': `\forall`, '∃': `\exists`, '¬': `\neg`, '∧': `\wedge`, '∨': `\vee`, '⊢': `\vdash`, '⊨': `\models`, '⊥': `\perp`, '∥': `\parallel`, '∠': `\angle`,
	'→': `\to`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⇐': `\Leftarrow`, '⇔': `\Leftrightarrow`, '↦': `\mapsto`, '⟶': `\longrightarrow`, '↑': `\uparrow`, '↓': `\downarrow`,
	'∞': `\infty`, '∂': `\partial`, '∇': `\nabla`, 'ℓ': `\ell`, 'ℏ': `\hbar`, 'ℜ': `\Re`, 'ℑ': `\Im`, 'ℵ': `\aleph`, '′': "'", '…': `\dots`, '⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`,
	'⟨': `\langle`, '⟩': `\rangle`, '⌈': `\lceil`, '⌉': `\rceil`, '⌊': `\lfloor`, '⌋': `\rfloor`, '‖': `\|`, '∣': `\mid`, '√': `\surd`,
	'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, 'ℙ': `\mathbb{P}`, '†': `\dagger`, '°': `^{\circ}`,
}
