/** How many bytes file-type reads at most to recognise a format. */
const headBytes = 4100
/** PDF readers accept a header anywhere in the first bytes: this many. */
const pdfSearchBytes = 1024
const pdf = 'application/pdf'
/** Text formats that are recognised by their first characters. */
const textualFormats = ['application/pdf', 'application/rtf', 'application/postscript']

const isControl = (byte: number) =>
  byte === 0x7f || (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d && byte !== 0x0b))

/** ASCII, and the escape that begins a printer's job. */
const isOfLines = (byte: number) => byte < 0x80 && (!isControl(byte) || byte === 0x1b)

/**
 * What begins a tag, a comment, a declaration or an instruction, in HTML (§13.2.5.6) or with any name that XML 1.0
 * (§2.3) takes. Any other `<` is text.
 */
const beginsMarkup = /^<[!?/_\p{ID_Start}\u{10000}-\u{effff}]/u
/** An address of mail in brackets, which text begins with too. XML takes no `@` in a name; in HTML it is a name without attributes. */
const beginsAddress = /^<[^\s<>/@!?][^\s<>/@]*@[^\s<>/@]+>/
/** As long as such an address may be (RFC 5321 §4.5.3.1). */
const startLength = 320

/** Finds out the type of a file from its content, chunk by chunk. */
export class Content {
  #head = Buffer.alloc(0)
  #isText = true
  /** Its first characters, without white space before them: as many as tell whether it is markup. */
  #start = ''
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })

  add(chunk: Buffer) {
    if (this.#head.length < headBytes) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)])
    }
    if (this.#isText) this.#isText = this.#isPlain(chunk)
  }

  /** Whether the content so far is plain text: UTF-8 without control bytes, and not markup (HTML, SVG, XML). */
  #isPlain(chunk?: Buffer): boolean {
    if (chunk?.some(isControl)) return false
    let text: string
    try {
      text = this.#utf8.decode(chunk, { stream: chunk !== undefined })
    } catch {
      return false
    }
    if (this.#start.length < startLength) {
      this.#start = (this.#start + text).trimStart().slice(0, startLength)
    }
    // Of an address, the end can come with a later chunk.
    if (chunk && this.#start.length < startLength) return true
    return !beginsMarkup.test(this.#start) || beginsAddress.test(this.#start)
  }

  /** The media type of the content; undefined if it is unknown, or if two types fit. */
  async type(): Promise<string | undefined> {
    const isText = this.#isText && this.#isPlain()
    // Loaded by the first file, not at the start.
    const { fileTypeFromBuffer } = await import('file-type')
    const detected = (await fileTypeFromBuffer(this.#head))?.mime
    if (isText) {
      // A text can begin like a binary format (with "GIF" or "BMW"), but binary formats contain control bytes.
      return detected && textualFormats.includes(detected) ? detected : 'text/plain'
    }
    const at = this.#head.subarray(0, pdfSearchBytes).indexOf('%PDF-')
    if (detected === pdf || at < 0) return detected
    // Printers and mail programs leave lines before the header. Anything else may be a second format.
    const before = this.#head.subarray(0, at)
    const isOnlyLines =
      before.every(isOfLines) && !beginsMarkup.test(before.toString('latin1').trimStart())
    return detected === undefined && isOnlyLines ? pdf : undefined
  }
}
