import { May } from '../shell/role'
import { CopyBox } from '../ui/copy'
import { Empty } from '../ui/page'

/** Why the list of keys is empty. Only operators have a command line. */
export const NoKeys = ({ filtered, isOperator }: { filtered: boolean; isOperator: boolean }) =>
  filtered ? (
    <Empty title="No matching keys">
      <p>No key matches the search and the filters. Clear the filters to see all keys.</p>
    </Empty>
  ) : (
    <Empty title="No keys yet">
      <p>
        A program sends a key with each call.{' '}
        <May to="keys.create" otherwise="Keys that developers make appear here.">
          “New key” makes one; its secret is shown once, with a first call.
        </May>
      </p>
      {isOperator && (
        <>
          <p>As an operator you can also use the command line:</p>
          <CopyBox
            label="Command"
            code={'npm run admin -- key create --email you@example.org --name first --tools all'}
          />
        </>
      )}
    </Empty>
  )
