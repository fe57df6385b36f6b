import { deflateRawSync, deflateSync } from 'node:zlib'

const page = (body: string) => `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`

/** A PDF of one page whose content stream is given with its filter. */
function pdf(filter: string, stream: string): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    `<< /Length ${stream.length} ${filter} >>\nstream\n${stream}\nendstream`,
  ]
  return `%PDF-1.4\n${objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R >>\n`
}

const latin1 = (bytes: Buffer): string => bytes.toString('latin1')

const ZLIB_HEADER = Buffer.from([0x78, 0x01])
/** A deflate block that is not the last one, stored as it is. */
const storedBlock = (length: number): Buffer => {
  const block = Buffer.alloc(5)
  block.writeUInt16LE(length, 1)
  block.writeUInt16LE(length ^ 0xffff, 3)
  return block
}
const STREAMS = 500

/**
 * A file of some 60 KB with 500 streams that all reach to one end. Each stores what follows as it
 * is, up to a common tail of 48 MB of zeros whose checksum is wrong: inflating any of them does all
 * the work and then fails.
 */
function overlapping(): string {
  const tail = Buffer.concat([deflateRawSync(Buffer.alloc(48_000_000), { level: 9 }), Buffer.alloc(4)])
  let rest = Buffer.alloc(0)
  for (let n = 0; n < STREAMS; n++) {
    rest = Buffer.concat([Buffer.from('stream\n'), ZLIB_HEADER, storedBlock(rest.length), rest])
  }
  return `${pdf('', 'BT ET')}99 0 obj\n<< >>\n${latin1(Buffer.concat([rest, tail]))}\nendstream\nendobj\n`
}

type Served = { type: string; body: () => string | Buffer }

const html = (body: () => string): Served => ({ type: 'text/html', body: () => page(body()) })
const paper = (body: () => string): Served => ({ type: 'application/pdf', body: () => Buffer.from(body(), 'latin1') })

/** What a hostile site serves, by path. Made when asked for: the repository stays small. */
export const HOSTILE_PAGES: Record<string, Served> = {
  '/small': html(() => '<p>Just this.</p>'),
  '/by-script': html(
    () => '<div id="root"></div><script>document.getElementById("root").textContent = "Written. ".repeat(99)</script>',
  ),
  '/pdf-bomb': paper(() => pdf('/Filter /FlateDecode', latin1(deflateSync(Buffer.alloc(200_000_000))))),
  '/pdf-overlapping': paper(overlapping),
  '/pdf-many-streams': paper(() => `%PDF-1.4\n${'stream\n'.repeat(2_500_000)}`),
  '/pdf-dictionaries': paper(() => pdf('', `${'<< /A '.repeat(500_000)}`)),
  '/text-20mb': { type: 'text/plain', body: () => 'words and more words\n'.repeat(950_000) },
  '/html-20mb': html(() => '<p>words and more words</p>\n'.repeat(690_000)),
  '/open-scripts': html(() => '<script>'.repeat(700_000)),
  '/closed-scripts': html(() => '<script></script>'.repeat(700_000)),
  '/deep-tables': html(() => '<table><tr><td>'.repeat(200_000)),
  '/deep-divs': html(() => '<div>'.repeat(1_000_000)),
  '/many-paragraphs': html(() => '<div class="article"><p>one, two, three, four</p></div>'.repeat(10_000)),
  '/many-attributes': html(() => `<p ${'a="b" '.repeat(1_000_000)}>x</p>`),
  '/many-cells': html(() => `<table>${'<tr><td> \n a</td><td>b \n\n</td></tr>'.repeat(12_000)}</table>`),
  '/many-links': html(() => '<a href="//x/?a=b">x</a> '.repeat(19_000)),
  '/spaces': html(() => `<pre>${' '.repeat(1_900_000)}x</pre>`),
  '/newlines': html(() => `<table><tr><td>a</td><td>${'\n'.repeat(1_900_000)}b</td></tr></table>`),
  '/meta': { type: 'text/html', body: () => '<meta charset'.repeat(100_000) },
  '/entities': html(() => '&amp;&lt;&#65;'.repeat(140_000)),
  '/quotes': html(() => `<p>${'\\*_`[]#+-'.repeat(200_000)}</p>`),
}
