import { fieldsOf } from '@vigil/contract/fields.ts'
import type { WizardProduct } from '@vigil/contract/printers/linking.ts'
import { serverUrl } from '../../../lib/base.ts'

/** What a printer runs, as the wizard's addresses name it. */
export const TARGETS = ['octoprint', 'klipper-generic', 'klipper-preinstalled'] as const
export type Target = (typeof TARGETS)[number]

/** An address may also name a product, such as `klipper-mintion-enabled`: guided like a pre-installed one. */
export function readTarget(value: string | undefined): Target {
  if (value === 'octoprint' || value === 'klipper-generic') return value
  return 'klipper-preinstalled'
}

/** The address of a product that ships with an agent: `klipper-{product}-enabled`. */
export function productTarget({ brand, model }: Product): string {
  const slug = `${brand} ${model}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `klipper-${slug || 'printer'}-enabled`
}

export type Product = Pick<WizardProduct, 'brand' | 'model' | 'image_url'>

/** Pictures of this server or in the list itself, as the server lets them through; a query may say anything. */
function shownPicture(url: unknown): string | null {
  if (typeof url !== 'string') return null
  if (/^\/(?![/\\])/.test(url)) return serverUrl(url)
  return /^data:image\/(?:png|jpeg|webp|gif);base64,/.test(url) ? url : null
}

export function pictureOf(product: Product): string | null {
  return shownPicture(product.image_url)
}

/** The product that was chosen, which travels as JSON in the query `printerItem`. */
export function readProduct(search: Record<string, unknown>): Product | null {
  try {
    const { brand, model, image_url: url } = fieldsOf(JSON.parse(String(search['printerItem'])))
    if (typeof brand !== 'string' || typeof model !== 'string') return null
    return {
      brand: brand.slice(0, 100),
      model: model.slice(0, 100),
      image_url: typeof url === 'string' ? url : null,
    }
  } catch {
    return null
  }
}

export const DISPLAYS = ['screen', 'lcd'] as const
export type Display = (typeof DISPLAYS)[number]

/** What the printer shows its passcode on. */
export function readDisplay(search: Record<string, unknown>): Display {
  return search['display'] === 'lcd' ? 'lcd' : 'screen'
}

/** The printer to link again, if the wizard was opened for one. */
export function readPrinterId(search: Record<string, unknown>): number | null {
  const id = Number(search['printerId'])
  return Number.isInteger(id) && id > 0 ? id : null
}
