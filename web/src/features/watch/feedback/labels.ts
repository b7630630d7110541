import type { Texts } from '../../../lib/translation.ts'
import { type FirstLayerImage, LAYER_LABELS, type LayerLabel } from '@vigil/contract/watch/first-layer.ts'

/** What says that nothing else is to be said. */
const ALONE: readonly LayerLabel[] = ['noIssues', 'notANozzleCam']

const isLabel = (name: string): name is LayerLabel => LAYER_LABELS.some((label) => label === name)

/** What the owner has answered; what the model saw is not put into their mouth. */
export const labelsOf = ({ answer }: Pick<FirstLayerImage, 'answer'>): LayerLabel[] =>
  (answer ?? '').split('|').filter(isLabel)

/** What the picture shows to whom it was shown to last: the owner's answer, else the model's. */
export const seenIn = ({ labels }: Pick<FirstLayerImage, 'labels'>): LayerLabel[] =>
  labels.split('|').filter(isLabel)

/** Ticks or unticks one: no issue, and no picture of a nozzle camera, stand alone. */
export function toggled(chosen: readonly LayerLabel[], label: LayerLabel): LayerLabel[] {
  if (chosen.includes(label)) return chosen.filter((one) => one !== label)
  if (ALONE.includes(label)) return [label]
  return [...chosen.filter((one) => !ALONE.includes(one)), label]
}

/** The same in words. */
export const remarkOf = (image: Pick<FirstLayerImage, 'labels'>, t: Texts<'feedback'>): string =>
  seenIn(image)
    .map((label) => t(`label.${label}.name`))
    .join(', ') || t('layer.nothingSeen')
