// The thread in which pages are read. Everything here runs over a stranger's bytes, away from the
// main thread.
import { serveParser } from '../../kit/threads/serve-parser'
import { type Article, extractArticle } from './article'
import { decodeText } from './charset'
import { countWords, truncateMarkdown } from './measure-text'
import type { PageRead, PageTask } from './read-page'

const NOTHING = { title: null, author: null, siteName: null, publishedAt: null, language: null }

function read({ bytes, contentType, url, isHtml }: PageTask): PageRead {
  const text = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType)
  const { cut, ...article }: Article = isHtml
    ? extractArticle(text, url)
    : { ...NOTHING, markdown: text.trim(), cut: false }
  const markdown = truncateMarkdown(article.markdown)
  const truncated = cut || markdown.length < article.markdown.length
  return { ...article, markdown, wordCount: countWords(markdown), truncated }
}

serveParser(read)
