import type { ToolGroup } from '../../tools/define'
import { datasetAppend } from './dataset_append'
import { datasetCreate } from './dataset_create'
import { datasetDelete } from './dataset_delete'
import { datasetExport } from './dataset_export'
import { datasetList } from './dataset_list'
import { datasetQuery } from './dataset_query'
import { sqlQuery } from './sql_query'

/**
 * The owner's datasets, and the PostgreSQL database the owner connected. Destructive calls and
 * writes need approval.
 */
export const dataGroup: ToolGroup = {
  id: 'data',
  label: 'Datasets and databases',
  prefixes: ['dataset', 'sql'],
  provider: 'built in',
  agent: 'data',
  names: ['csv', 'sql', 'dataset', 'datasets', 'postgres', 'postgresql'],
  tools: [datasetCreate, datasetAppend, datasetList, datasetQuery, datasetExport, datasetDelete, sqlQuery],
}
