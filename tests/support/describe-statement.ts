import type pg from 'pg'

/**
 * A column of a result. `tableId` and `columnId` say which column of a table it is; 0 for an
 * expression.
 */
type DescribedColumn = { name: string; type: number; tableId: number; columnId: number }

/**
 * What PostgreSQL says of a statement without running it: the types of its parameters and its
 * columns, as object ids.
 */
export type DescribedStatement = { params: number[]; columns: DescribedColumn[] }

type Connection = pg.Connection & {
  parse: (query: { name: string; text: string; types: number[] }) => void
  describe: (what: { type: 'S'; name: string }) => void
  sync: () => void
}

type RowDescription = { fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[] }

/** Asks PostgreSQL to parse a statement and to describe it. Throws what it refuses. */
export function describeStatement(client: pg.Client, text: string): Promise<DescribedStatement> {
  return new Promise((resolve, reject) => {
    const described: DescribedStatement = { params: [], columns: [] }
    const connection = client.connection as Connection
    const onParams = ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
      described.params = dataTypeIDs
    }
    connection.once('parameterDescription', onParams)
    const end = () => connection.off('parameterDescription', onParams)
    // The driver has no method for this: a query object speaks the protocol itself.
    client.query({
      submit: () => {
        connection.parse({ name: '', text, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: ({ fields }: RowDescription) => {
        described.columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          type: dataTypeID,
          tableId: tableID,
          columnId: columnID,
        }))
      },
      handleError: (error: Error) => {
        end()
        reject(error)
      },
      handleReadyForQuery: () => {
        end()
        resolve(described)
      },
    } as unknown as pg.Submittable)
  })
}
