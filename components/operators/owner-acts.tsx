'use client'

import { useTRPCClient } from '../trpc'
import { formatCredits } from '../ui/amount'
import { CopyBox } from '../ui/copy'
import { Field, Input } from '../ui/field'
import { NumberField } from '../ui/number-field'
import { ExactTime } from '../ui/time-ago'
import { Act, fieldText } from './act'
import { OwnerLimitsAct } from './owner-limits-act'
import type { OperatorOwnerDetails } from './views'

const NOTE_MAX = 500

/** What an operator can do to an owner. Each act asks once and is written to both logs. */
export function OwnerActs({ of }: { of: OperatorOwnerDetails }) {
  const owners = useTRPCClient().operators.owners
  const { id: ownerId, email } = of
  const name = <strong className="font-semibold">{email}</strong>
  return (
    <div className="flex flex-wrap gap-2">
      <Act
        label="Grant credits"
        question={<>Add credits to the balance of {name}. A negative number takes back what is free.</>}
        kept="The balance is unchanged."
        run={(form) =>
          owners.grant.mutate({ ownerId, credits: Number(form.get('credits')), note: fieldText(form, 'note') })
        }
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <NumberField
            label="Credits"
            hint={`${formatCredits(of.available)} are available now`}
            name="credits"
            required
          />
          <Field label="Note" hint="The owner reads it">
            {(control) => <Input {...control} name="note" maxLength={NOTE_MAX} />}
          </Field>
        </div>
      </Act>
      <OwnerLimitsAct of={of} />
      {of.suspendedFor === null ? (
        <Act
          label="Suspend owner"
          isDangerous
          question={<>Suspend {name}? Every call and run is refused from now on; what is in progress ends.</>}
          kept="The owner was not suspended."
          run={(form) => owners.suspend.mutate({ ownerId, reason: fieldText(form, 'reason') ?? '' })}
        >
          <Field label="Reason" hint="Callers read it in every refusal">
            {(control) => <Input {...control} name="reason" maxLength={NOTE_MAX} required />}
          </Field>
        </Act>
      ) : (
        <Act
          label="End suspension"
          question={
            <>
              Let {name} spend again? The reason was: {of.suspendedFor}
            </>
          }
          kept="The owner is still suspended."
          run={() => owners.resume.mutate({ ownerId })}
        />
      )}
      <Act
        label="Make reset link"
        question={
          <>
            Make a link with which {name} sets a new password? Until it is used the old one works; then every browser is
            signed out.
          </>
        }
        kept="No link was made."
        run={() => owners.resetLink.mutate({ ownerId })}
        result={({ url, expiresAt }) => (
          <>
            <p>
              The link for {name}, shown this once. It works once, until <ExactTime at={expiresAt} />. Whoever has it
              can sign in: pass it on over a channel you trust.
            </p>
            <CopyBox label="Reset link" code={url} />
          </>
        )}
      />
      <Act
        label="End sessions"
        isDangerous
        question={
          <>
            Sign {name} out of {of.sessions === 1 ? '1 browser' : `${of.sessions} browsers`}? Keys go on working.
          </>
        }
        kept="No session was ended."
        run={() => owners.endSessions.mutate({ ownerId })}
      />
      {of.isAdmin ? (
        <Act
          label="Remove operator"
          isDangerous
          question={<>Take the operators’ pages away from {name}?</>}
          kept="The owner is still an operator."
          run={() => owners.setOperator.mutate({ ownerId, isAdmin: false })}
        />
      ) : (
        <Act
          label="Make operator"
          isDangerous
          question={<>Make {name} an operator? Operators see every owner and can do all that you can do here.</>}
          kept="The owner is not an operator."
          run={() => owners.setOperator.mutate({ ownerId, isAdmin: true })}
        />
      )}
    </div>
  )
}
