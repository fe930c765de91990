/** Erasing a data subject: what every kind of actor that holds something of one is asked, and answers. */

/** Forgets everything that was written under a data subject. Repeatable. */
export interface EraseUser {
  readonly type: 'user.erase'
  readonly userId: string
}

export interface Erased {
  /** Memories that are gone now, those aside that had expired. A long text in several parts is one. */
  readonly erasedMemories: number
  /** Whether anything changed: also an input that was held back, or a vector of another actor that had folded the subject in. */
  readonly isAffected: boolean
}

export interface ErasureReplies {
  'user.erase': Erased
}
