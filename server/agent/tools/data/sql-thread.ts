// The thread in which statements are parsed and judged.
import { serveParser } from '../../../kit/threads/serve-parser'
import { judgeSql } from './sql-reads'

serveParser(judgeSql)
