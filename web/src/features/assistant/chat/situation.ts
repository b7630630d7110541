import { type Bridge, HostError } from '../bridge/index.ts'
import { obstacleIn, type Situation, situationOf } from './apply.ts'
import type { Chat } from './chat.ts'
import type { Choice } from './entries.ts'

/** Looks how things stand in the slicer, for what the page shows of it; null where it does not answer. */
export async function look(chat: Chat): Promise<Situation | null> {
  try {
    const situation = await situationOf(chat.bridge)
    chat.set({ edited: situation.edited, project: situation.project })
    return situation
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    chat.add({ kind: 'own', word: 'hostFailed', tone: 'bad', params: { said: error.message } })
    return null
  }
}

/** The same before something is asked or done: where something stands in the way, that is said, and it is null. */
export async function refreshSituation(chat: Chat): Promise<Situation | null> {
  const situation = await look(chat)
  const obstacle = situation && obstacleIn(situation)
  if (!obstacle) return situation
  const add: Choice[] =
    obstacle === 'noPrinter'
      ? [{ label: 'addPrinters', act: { do: 'addPrinters' } }]
      : obstacle === 'noFilament'
        ? [{ label: 'addFilaments', act: { do: 'addFilaments' } }]
        : []
  chat.add({ kind: 'own', word: obstacle, choices: add })
  return null
}

/** Does it, and says so where the slicer refuses; false then. */
export async function tried(chat: Chat, act: (bridge: Bridge) => Promise<unknown>): Promise<boolean> {
  try {
    await act(chat.bridge)
    return true
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    chat.add({ kind: 'own', word: 'hostFailed', tone: 'bad', params: { said: error.message } })
    return false
  }
}
