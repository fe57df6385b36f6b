import type { AbilityLimits, Effort, SchemaDialect } from '../shape'

/**
 * What a model takes where it is called. Undefined: not known, so a request passes as it is. Fields
 * have their names in chat completions.
 */
export type Abilities = {
  /** Fields that it takes, or not. */
  parameters: Readonly<Record<string, boolean>>
  limits: AbilityLimits
  schemaDialect?: SchemaDialect
  /** Values of the field for effort; none: it has no such field. */
  efforts?: readonly Effort[]
  /**
   * `unless off`: temperature and the like only with an effort of `none`. `one`: temperature or
   * top_p.
   */
  sampling?: 'none' | 'unless off' | 'one'
  /** How thinking is turned on in the messages API; `both`: with a budget as well. */
  thinking?: 'none' | 'budget' | 'adaptive' | 'both'
  /** The provider refuses fields that others' APIs have. */
  ownFieldsOnly?: boolean
  /** The name under which a chat API takes the output limit. */
  limitField?: 'max_completion_tokens' | 'max_tokens'
}

/** One change of a request: the field as the caller's wire names it, and what became of it. */
export type Adjustment = { field: string; now: string }

export const DROPPED = 'dropped'
