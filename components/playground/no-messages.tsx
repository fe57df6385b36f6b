import { Empty } from '../ui/page'

/** What a conversation will show. `isScript`: a chosen model is a script of the sandbox. */
export const NoMessages = ({ isScript }: { isScript: boolean }) => (
  <Empty title="No messages yet">
    <p>
      Responses stream in here with their tokens and their charge. They are paid from your balance, without a key, and
      are listed in Usage as “playground”. Add a second model to compare answers side by side.
    </p>
    {isScript && (
      <p>
        This model is a script of the sandbox. It remembers the conversation, does sums and knows a little about
        Tollgate, and nothing about the world.
      </p>
    )}
  </Empty>
)
