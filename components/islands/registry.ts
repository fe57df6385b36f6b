import { CodeExample } from '../docs/code-example'
import { DocsSearch } from '../docs/docs-search'
import { TryIt } from '../docs/try-it'
import { CopyButton } from '../ui/copy'

/** What reacts to input on the public pages, by the name that the HTML has. */
export const ISLANDS = { CodeExample, CopyButton, DocsSearch, TryIt }
