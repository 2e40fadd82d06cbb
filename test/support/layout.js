/*
 * Run in the page: what is squeezed, overlaps, or scrolls sideways, as sentences. A text is squeezed if it is
 * broken into lines that are narrower than eight of its characters.
 */
;(() => {
  const found = []
  const name = (text) => JSON.stringify(text.trim().replaceAll(/\s+/g, ' ').slice(0, 40))
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('.hidden, .skip, .log thead, svg, option, script, style') &&
    // On a phone, a row of a table is a card with the heads in it.
    !(innerWidth <= 640 && element.closest('.grid thead'))

  /** Rectangles of texts, line by line, and of controls. */
  const boxes = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    const element = text.parentElement
    if (text.data.trim() === '' || !isShown(element)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const lines = [...range.getClientRects()].filter(({ width }) => width > 1)
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    const box = range.getBoundingClientRect()
    const isBroken = new Set(lines.map(({ top }) => Math.round(top))).size > 1
    if (isBroken && box.width < 4 * size) {
      found.push(`squeezed to ${Math.round(box.width)} px: ${name(text.data)}`)
    }
    const owner = element.closest('a, button, label, summary') ?? element
    for (const line of lines) boxes.push({ line, owner, label: name(text.data) })
  }
  for (const control of document.querySelectorAll('button, input, select, textarea, .button')) {
    if (control.type === 'hidden' || !isShown(control)) continue
    const label = name(control.ariaLabel || control.textContent || control.name || control.id)
    boxes.push({ line: control.getBoundingClientRect(), owner: control, label })
  }
  const isIn = (a, b) =>
    a.owner === b.owner || a.owner.contains(b.owner) || b.owner.contains(a.owner)
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      const across = Math.min(a.line.right, b.line.right) - Math.max(a.line.left, b.line.left)
      const down = Math.min(a.line.bottom, b.line.bottom) - Math.max(a.line.top, b.line.top)
      // The boxes of lines are higher than their letters.
      if (across <= 2 || down <= 5) continue
      if (isIn(a, b) && !(a.line !== b.line && a.label !== b.label && isLoose(a, b))) continue
      found.push(`${a.label} overlaps ${b.label}`)
    }
  }
  /** Texts of one label, or a label and its tick, stand beside each other. */
  function isLoose(a, b) {
    return [a, b].some(({ owner }) => owner.localName === 'label') && a.owner.localName !== 'button'
  }
  const excess = document.documentElement.scrollWidth - innerWidth
  if (excess > 0) found.push(`wider than the window by ${excess} px`)
  for (const element of document.querySelectorAll('body *')) {
    const { overflowX } = getComputedStyle(element)
    const isInput = ['input', 'select', 'textarea'].includes(element.localName)
    if (overflowX === 'visible' || isInput || !isShown(element)) continue
    const more = element.scrollWidth - element.clientWidth
    if (more > 1) found.push(`scrolls sideways by ${more} px: ${name(element.textContent)}`)
  }
  return found.slice(0, 20)
})()
