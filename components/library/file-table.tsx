import { May } from '../shell/role'
import { formatBytes } from '../ui/format-bytes'
import { DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { FileDelete } from './file-delete'
import { MadeBy } from './made-by'
import type { ShownFile } from './shape'

/** Files are asked for at the page's own host. */
const hrefOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : url)

/** Files, images and videos of runs and tools, and attachments. */
export const FileTable = ({ files }: { files: readonly ShownFile[] }) => (
  <DataTable label="Files">
    <Head>
      <Th>File</Th>
      <Th wide>Type</Th>
      <Th right>Size</Th>
      <Th wide>Made by</Th>
      <Th>Made</Th>
      <Th>
        <span className="sr-only">Delete</span>
      </Th>
    </Head>
    <tbody>
      {files.map(({ id, name, url, contentType, bytes, jobId, createdAt }) => (
        <Row key={id}>
          <Td className="max-w-56 min-w-36 lg:max-w-96">
            <a
              href={hrefOf(url)}
              target="_blank"
              rel="noreferrer"
              className="font-medium wrap-anywhere text-accent underline underline-offset-2"
            >
              {name}
            </a>
          </Td>
          <Td wide className="text-muted">
            {contentType}
          </Td>
          <Td right className="num whitespace-nowrap text-muted">
            {formatBytes(bytes)}
          </Td>
          <Td wide>
            <MadeBy jobId={jobId} what={name} />
          </Td>
          <Td className="text-muted">
            <TimeAgo at={createdAt} />
          </Td>
          <Td>
            <May to="library.removeFile">
              <FileDelete id={id} name={name} />
            </May>
          </Td>
        </Row>
      ))}
    </tbody>
  </DataTable>
)
