import { fieldsOf } from '@vigil/contract/fields.ts'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { explainFailure } from '../failures.ts'
import { readSecret } from '../lib/secrets.ts'
import { textOf } from '../lib/thrown.ts'

/** Exit codes of every command. */
export const OK = 0
export const FAILED = 1
export const WRONG_USE = 2

/** One command of `./vigil`. */
export interface Command {
  readonly help: string
  /** Returns the exit code. */
  run(args: string[]): Promise<number>
}

/** The command was called wrongly; `message` says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** It was called well but could not be done; `message` is a sentence for the operator. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Reads options and words; raises `UsageError`. */
export function readArgs<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(textOf(error))
  }
}

/** A whole number within bounds. */
export function wholeNumber(
  name: string,
  given: string | undefined,
  { min, max, otherwise }: Bounds,
): number {
  if (given === undefined) return otherwise
  const number = Number(given)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new UsageError(`--${name} wants a whole number from ${min} to ${max}, not "${given}"`)
  }
  return number
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly otherwise: number
}

/** The settings, with the secret of the data folder where the environment brings none. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config = readConfig(env)
  if (config.VIGIL_SECRET !== undefined) return config
  return readConfig({ ...env, VIGIL_SECRET: readSecret(config) })
}

/** One line for people, or one JSON object a line for programs. */
export function print(line: string | object): void {
  process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
}

/** What went wrong as one text for a terminal; null when it is a defect, whose stack is wanted. */
export function explain(error: unknown): string | null {
  if (error instanceof UsageError || error instanceof CommandFailed) return error.message
  const { body } = fieldsOf(error)
  if (typeof body === 'object' && body !== null) return fieldLines(body)
  const explained = explainFailure(error)
  return explained && [explained.found, explained.cure].filter(Boolean).join(' ')
}

function fieldLines(body: object): string {
  return Object.entries(body)
    .flatMap(([field, said]) =>
      (Array.isArray(said) ? said : [said]).map((one: unknown) =>
        field === 'detail' || field === 'non_field_errors' ? String(one) : `${field}: ${String(one)}`,
      ),
    )
    .join('\n')
}
