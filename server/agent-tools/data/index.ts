import type { ToolGroup } from '../../tools/define'
import { datasetAppend } from './dataset_append'
import { datasetCreate } from './dataset_create'
import { datasetDelete } from './dataset_delete'
import { datasetExport } from './dataset_export'
import { datasetList } from './dataset_list'
import { datasetQuery } from './dataset_query'
import { sqlQuery } from './sql_query'

/** Datasets of the owner, and the PostgreSQL the owner connected. What destroys or writes there asks first. */
export const dataGroup: ToolGroup = {
  id: 'data',
  label: 'Datasets and databases',
  prefixes: ['dataset', 'sql'],
  provider: 'built in',
  agents: ['research', 'social', 'crypto', 'real_estate', 'data'],
  tools: [datasetCreate, datasetAppend, datasetList, datasetQuery, datasetExport, datasetDelete, sqlQuery],
}
