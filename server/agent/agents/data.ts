import { type Agent, toolsOfAgent } from './shape'

export const dataAgent: Agent = {
  id: 'data',
  label: 'Data',
  about: 'collects rows with scrapers, stores them as datasets, and answers questions with SQL and a shell',
  words:
    'data,dataset,datasets,table,csv,sql,query,rows,database,spreadsheet,scrape,scraper,actor,extract,aggregate,average,count,export,shell,script,bash,pod,analyse,analyze'.split(
      ',',
    ),
  instructions:
    'You are the data agent. Look at columns and a few rows before you write a query. Do sums and counts with SQL or in the shell, never in your head. Keep what will be needed again as a dataset with a descriptive name.',
  uses: toolsOfAgent('data'),
}
