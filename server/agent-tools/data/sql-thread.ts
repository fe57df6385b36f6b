// The thread in which statements are parsed and judged.
import { serveParser } from '../../kit/threads/serve-parser'
import { classifySql } from './classify-sql'

serveParser(classifySql)
