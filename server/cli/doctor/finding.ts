import type { Config } from '../../config.ts'

/** What a check found, and what the operator should do about it. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly advice: string | null
}

export type Check = (config: Config) => Promise<Finding>

export const fine = (found: string): Finding => ({ state: 'ok', found, advice: null })
export const doubtful = (found: string, advice: string): Finding => ({ state: 'warn', found, advice })
export const broken = (found: string, advice: string): Finding => ({ state: 'fail', found, advice })
