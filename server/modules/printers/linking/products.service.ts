import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { WizardProduct } from '@vigil/contract/printers/linking.ts'
import { text } from '@vigil/contract/values.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { textOf } from '../../../lib/thrown.ts'

const MAX_BYTES = 2_000_000

/** Our pages show pictures of this server only (Content-Security-Policy): another address counts as no picture. */
const isShown = (url: string) =>
  /^\/(?!\/)/.test(url) || /^data:image\/(?:png|jpeg|webp|gif);base64,/.test(url)

const products = z
  .array(
    z.object({
      brand: text(100).trim().min(1),
      model: text(100).trim().min(1),
      image_url: text(200_000)
        .nullish()
        .transform((url) => (url != null && isShown(url) ? url : null)),
    }),
  )
  .max(500)

const BUILT_IN: readonly WizardProduct[] = products.parse(
  JSON.parse(readFileSync(new URL('products.json', import.meta.url), 'utf8')),
)

interface Kept {
  readonly stamp: string
  readonly list: readonly WizardProduct[]
}
const kept = new Map<string, Kept>()

/**
 * Printers that ship with an agent: the operator's file, read again when it changes, else our own list. A file that
 * cannot be used costs a line in the log, not the page.
 */
export async function readProducts(ctx: Ctx): Promise<WizardProduct[]> {
  const path = ctx.config.WIZARD_PRODUCTS_FILE ?? join(ctx.config.dataFolder, 'products.json')
  const found = await stat(path).catch(() => null)
  const stamp = found === null ? 'none' : `${found.mtimeMs} ${found.size} ${found.ino}`
  const before = kept.get(path)
  if (before?.stamp === stamp) return [...before.list]
  const list = await readList(ctx, path, found?.size ?? null)
  kept.set(path, { stamp, list })
  return [...list]
}

async function readList(ctx: Ctx, path: string, size: number | null): Promise<readonly WizardProduct[]> {
  if (size === null && ctx.config.WIZARD_PRODUCTS_FILE === undefined) return BUILT_IN
  try {
    if (size === null) throw new Error('it is not there')
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    return products.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : textOf(error)
    ctx.log.warn({ path, reason }, 'the list of products cannot be used: showing our own')
    return BUILT_IN
  }
}
