import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../values.ts'

/** A macro of Klipper's configuration, by the command that runs it, with what it asks for: names and what they are when not said. */
export const macro = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    params: z.array(z.object({ name: z.string(), default: z.string().nullable() })),
  })
  .meta({ id: 'Macro' })
export type Macro = z.infer<typeof macro>

/**
 * Why macros were not told or one was not run: the printer prints (`printing`), or is between two states (`changing`), its agent is not
 * there (`off`), it is no Klipper (`not_klipper`), was not reached (`not_sent`), did not answer (`no_answer`), or said no (`refused`).
 */
export const macroReason = z.enum([
  'printing',
  'changing',
  'off',
  'not_klipper',
  'not_sent',
  'no_answer',
  'refused',
])
export type MacroReason = z.infer<typeof macroReason>

/** A name of Klipper's, whose hidden macros begin with `_`. */
const name = z.string().regex(/^[A-Za-z]\w{0,99}$/, { error: 'Not the name of a macro.' })
/** What may stand in a line of G-code without ending it, or the value. */
export const MACRO_VALUE = /^[^"'\\#*;\p{Cc}]*$/u
const value = z
  .string()
  .max(200)
  .refine((text) => MACRO_VALUE.test(text), {
    error: 'Quotes, backslashes, # * ; and line breaks can not be passed on.',
  })

const callers = ['session', 'oauth'] as const
const answers = {
  409: z.object({ detail: z.string(), reason: macroReason }).meta({ id: 'MacroRefused' }),
}
const path = '/api/v1/printers/:id/macros/'

export const listMacros = endpoint({
  method: 'GET',
  path,
  callers,
  summary: "The macros of a printer's Klipper, asked of it now; hidden ones are not among them",
  params: z.object({ id }),
  answers,
  response: z.array(macro),
})

export const runMacro = endpoint({
  method: 'POST',
  path,
  callers,
  summary: 'Runs a macro on an idle or paused printer. `done`: it is over already; else it goes on',
  params: z.object({ id }),
  body: z.object({
    name,
    params: z
      .record(z.string().regex(/^[A-Za-z]\w{0,59}$/, { error: 'Not the name of a parameter.' }), value)
      .refine((all) => Object.keys(all).length <= 20, { error: 'Too many parameters.' })
      .default({}),
  }),
  answers,
  response: z.object({ done: z.boolean() }),
})
