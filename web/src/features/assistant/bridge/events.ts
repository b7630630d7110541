import { fieldsOf } from '@vigil/contract/fields.ts'
import { numberOf, type Project, readProject, textOf } from './presets.ts'

/** A notification's level, as far as the chat cares. */
export type Level = 'error' | 'warning'

/** What happens in the slicer. */
export type HostEvent =
  | { type: 'modelObjectsChanged'; project: Project }
  | { type: 'autoOrient'; isDone: boolean; project: Project | null }
  | { type: 'slicingProgress'; share: number; text: string }
  | { type: 'notificationPushed'; level: Level | null; text: string }
  | { type: 'nativeErrorOccurred'; text: string }
  | { type: 'chatPanelFocus'; isInFocus: boolean }

const isLevel = (word: unknown): word is Level => word === 'error' || word === 'warning'

/** Reads an event of the slicer; null for one that is not known. */
export function readEvent(said: unknown): HostEvent | null {
  const { type, data } = fieldsOf(said)
  const fields = fieldsOf(data)
  if (type === 'modelObjectsChanged') return { type, project: readProject(data) }
  if (type === 'autoOrient') {
    const project = fields['currentProject'] ? readProject(fields['currentProject']) : null
    return { type, isDone: fields['status'] === 'completed', project }
  }
  if (type === 'slicingProgress')
    return { type, share: numberOf(fields['percentage']) ?? 0, text: textOf(fields['text']) }
  if (type === 'notificationPushed') {
    const { level } = fields
    return { type, level: isLevel(level) ? level : null, text: textOf(fields['text']) }
  }
  if (type === 'nativeErrorOccurred') return { type, text: textOf(fields['errorMessage']) }
  if (type === 'chatPanelFocus') return { type, isInFocus: fields['focusEventType'] === 'in_focus' }
  return null
}
