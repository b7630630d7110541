import type { ReactNode } from 'react'

interface Choice {
  value: string
  label: string
  tone?: 'accent' | 'bad' | 'plain'
}

/** What a person is asked. */
export interface Question {
  title: string
  text?: ReactNode
  /** The buttons that act, most wanted first; a quiet way out is added. */
  choices: Choice[]
  /** The word of the quiet way out. */
  dismiss?: string
}
