import type { Placing } from '../../../lib/mesh/bake.ts'
import { wordOf } from '../../../lib/slicing/settings.ts'

/** What somebody has asked to be sliced, as a job keeps it. */
export interface Asked {
  readonly meshes: readonly (Placing & { readonly model: number })[]
  /** `sub_path`s. */
  readonly machine: string
  readonly filament: string
  readonly print: string
  readonly overwrites: Readonly<Record<string, unknown>>
  readonly name: string
  /** The chat with the slicer's assistant that it came of. */
  readonly chat?: number
}

/** The same as who asked it has said it. */
export const paramsOf = ({ meshes, machine, filament, print, overwrites, name }: Asked) => ({
  meshes: meshes.map(({ model, translate, rotate, scale }) => ({
    url: `/ent/api/slicer/models/${model}/mesh.stl`,
    translate: vectorOf(translate),
    rotate: vectorOf(rotate),
    scale: vectorOf(scale),
  })),
  slicer_profiles: { machine_sub_path: machine, filament_sub_path: filament, print_process_sub_path: print },
  profile_overwrites: inWords(overwrites),
  target_gcode_name: name,
})

const vectorOf = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z]

/** Each as the one word that was taken of it; what is none was not. */
const inWords = (all: Asked['overwrites']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => {
      const word = wordOf(value)
      return word === null ? [] : [[key, word]]
    }),
  )

/** Why nothing came of it: a text, kept until somebody reads it in their language. */
export interface Why {
  readonly file: string
  readonly key: string
  readonly params: Readonly<Record<string, string>>
}

export const whyOf = (key: string, params: Why['params'] = {}, file = 'slicing-server'): Why => ({
  file,
  key,
  params,
})

/** Until so much is done its own pace says little. */
const ENOUGH = 0.1

/** In how many seconds a job is done, as far as that can be told: by its own pace, else by how long others took, one after the other on each of so many. */
export function secondsLeft(
  job: { readonly state: string; readonly progress: number; readonly ranSeconds: number | null },
  {
    position,
    usual,
    atOnce,
  }: { readonly position: number; readonly usual: number | null; readonly atOnce: number },
): number | null {
  if (job.state === 'running' && job.ranSeconds !== null && job.progress >= ENOUGH)
    return Math.round((job.ranSeconds * (1 - job.progress)) / job.progress)
  if (usual === null || (job.state !== 'running' && job.state !== 'queued')) return null
  if (job.state === 'running') return Math.round(Math.max(1, usual - (job.ranSeconds ?? 0)))
  return Math.round(usual * (Math.ceil(position / atOnce) + 1))
}

const LONGEST_NAME = 150

/** The name of a G-code file, as a folder shows it. */
export function gcodeName(asked: string): string {
  const name = asked
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, ' ')
    .replaceAll(/\s{1,200}/g, ' ')
    .replace(/\.(?:gcode|gco|g|stl|3mf|obj)$/i, '')
    .replace(/^[.\s]{1,200}/, '')
    .trim()
  return `${name.slice(0, LONGEST_NAME).toWellFormed().trim() || 'model'}.gcode`
}

/** The number of a mesh of ours that an address names; null for any other address. */
export function modelIn(url: string, origin: string): number | null {
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  const digits = /^\/ent\/api\/slicer\/models\/(\d{1,9})\/mesh\.stl$/.exec(path)?.[1]
  return digits === undefined ? null : Number(digits)
}
