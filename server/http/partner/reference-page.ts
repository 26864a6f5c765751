/**
 * What the reference needs to be readable for everyone. Its colors are too pale, and some of its controls have no name; it
 * draws them again as the reader moves on, so they are watched.
 */
export const readableColors = `
.light-mode {
  --scalar-color-2: #4d4d4d;
  --scalar-color-3: #666666;
  --scalar-color-green: #04713f;
  --scalar-color-blue: #005ea8;
  --scalar-color-yellow: #7d5700;
  --scalar-color-orange: #9a4600;
  --scalar-color-red: #b3261e;
}
.dark-mode {
  --scalar-color-3: #a3a3a3;
}`

export const nameControls = `
const names = [
  ['.code-input-lite__editor', (editor) => editor.dataset.placeholder || 'Value'],
  ['button[class*="copy-button"]', () => 'Copy'],
]
function name() {
  for (const [selector, nameOf] of names) {
    for (const control of document.querySelectorAll(selector + ':not([aria-label])')) {
      control.setAttribute('aria-label', nameOf(control))
    }
  }
  for (const box of document.querySelectorAll('[role=combobox]:not([aria-expanded])')) {
    box.setAttribute('aria-expanded', 'false')
  }
  // Every operation has these, all with the same name.
  for (const card of document.querySelectorAll('.scalar-card[role=region]')) card.setAttribute('role', 'group')
}
new MutationObserver(name).observe(document.body, { childList: true, subtree: true })
name()
`
