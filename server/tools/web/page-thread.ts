// The thread in which pages are read. Everything here runs over a stranger's bytes, away from the
// main thread.
import { serveParser } from '../../kit/threads/serve-parser'
import { type Article, extractArticle } from './article'
import { decodeText } from './charset'
import { countShownWords, countWords, truncateMarkdown } from './measure-text'
import type { PageTask, WebPage } from './read-page'

const NOTHING = { title: null, author: null, siteName: null, publishedAt: null, language: null }

function read({ bytes, contentType, url, isHtml }: PageTask): WebPage {
  const text = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType)
  const { cut, ...article }: Article | TextFile = isHtml
    ? extractArticle(text, url)
    : { ...NOTHING, markdown: text.trim(), method: 'text', needsScript: false, cut: false }
  const markdown = truncateMarkdown(article.markdown)
  const truncated = cut || markdown.length < article.markdown.length
  return { ...article, markdown, wordCount: isHtml ? countShownWords(markdown) : countWords(markdown), truncated }
}

type TextFile = Omit<Article, 'method'> & { method: 'text' }

serveParser(read)
