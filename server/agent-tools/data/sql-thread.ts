// The worker thread that parses and classifies SQL statements.
import { serveParser } from '../../kit/threads/serve-parser'
import { classifySql } from './classify-sql'

serveParser(classifySql)
