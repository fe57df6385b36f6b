/** On every page of a suspended owner: why, what that means, and whom to ask. */
export const SuspendedNotice = ({ reason }: { reason: string }) => (
  <section
    aria-label="Account suspended"
    className="mb-6 max-w-[1200px] rounded border border-bad bg-bad-weak px-4 py-3 text-bad"
  >
    <p className="font-semibold">This account is suspended{reason && `: ${reason}`}</p>
    <p>
      Calls with your keys and agent runs are refused. Nothing is deleted, and you can still read everything here.
      Contact the operator to have it lifted.
    </p>
  </section>
)
