/** A letter as it goes out: one receiver, both forms of its text. */
export interface Letter {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. The same for every try, so that a receiver can tell a second copy. */
  readonly messageId: string
  readonly headers?: Readonly<Record<string, string>>
  readonly attachments?: readonly Attachment[]
}

/** A picture or file that goes with a letter. */
export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
  /** What the letter's HTML calls it: `<img src="cid:…">`; absent for a mere attachment. */
  readonly cid?: string
}

/** What the mail server said when it took a letter over, in its own words: `250 2.0.0 Ok: queued as 4Tq…`. */
export interface Accepted {
  readonly response: string
}

/** `mail`: letters by SMTP. Sent from jobs alone, never within a transaction. */
export interface Mail {
  /** False without EMAIL_HOST: nothing can be sent. */
  readonly isConfigured: boolean
  /** The address letters are from, unless a brand has its own. */
  readonly from: { readonly name: string; readonly address: string }
  /**
   * Hands a letter to the mail server; done when it was taken over. Raises `LetterRefused` for what no other try would
   * mend, `MailUnavailable` for everything else.
   */
  send(letter: Letter, signal?: AbortSignal): Promise<Accepted>
  close(): Promise<void>
}

/** The mail server will not take this letter, now or later: no such mailbox, say. `message` is its answer. */
export class LetterRefused extends Error {
  override readonly name = 'LetterRefused'
}

/** No mail server is set, it is away, or it lets us in no more; `message` says which. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable'
}
