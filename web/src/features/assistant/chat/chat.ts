import type { getAssistantUser } from '@vigil/contract/assistant/chats.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import { readStored, writeStored } from '../../../lib/stored.ts'
import type { Bridge, Edited, Project } from '../bridge/index.ts'
import type { Entry, News } from './entries.ts'

export const POP_UP_KEY = 'jusprin.chatPanelPopUpOnErrors'
export const VIEW_KEY = 'jusprin.preferredChatPanelViewMode'

/** A slicing that was begun from here. */
export interface Slicing {
  /** 0 to 1. */
  readonly share: number
  readonly text: string
  /** It is over and fades. */
  readonly isOver: boolean
  /** It takes awfully long. */
  readonly isLate: boolean
}

export interface ChatState {
  readonly entries: readonly Entry[]
  readonly isThinking: boolean
  readonly slicing: Slicing | null
  /** Who chats; null while that is not known. */
  readonly me: Reply<typeof getAssistantUser> | null
  /** What is selected and what stands on the plate, as far as it was told. */
  readonly edited: Edited | null
  readonly project: Project | null
  readonly workflow: 'none' | 'print_troubleshooting'
  /** The form stands in the place of the input. */
  readonly isAskingSupport: boolean
  /** The month's credits are used up, and that has to be said. */
  readonly isUpgradeWanted: boolean
  /** The person goes on with the rules alone, which cost nothing, until there are credits again. */
  readonly isWithoutModel: boolean
  readonly draft: string
  readonly popsUp: boolean
  /** Whether the slicer shows the page. */
  readonly isVisible: boolean
}

const FRESH = {
  entries: [],
  isThinking: false,
  slicing: null,
  workflow: 'none',
  isAskingSupport: false,
  isUpgradeWanted: false,
  draft: '',
} as const satisfies Partial<ChatState>

/** One conversation: what is known of it, and who hears of its changes. What happens in it stands beside, by what it is about. */
export class Chat {
  readonly bridge: Bridge
  #state: ChatState = {
    ...FRESH,
    me: null,
    edited: null,
    project: null,
    isWithoutModel: false,
    popsUp: readStored(POP_UP_KEY) !== 'false',
    isVisible: true,
  }
  readonly #watchers = new Set<() => void>()
  #made = 0
  /** Where it is kept; null until something was said. */
  chatId: number | null = null
  /** Whose it is; null until that is known. */
  ownerId: number | null = null
  /** Counts beginnings: what belongs to an earlier one is not heard any more. */
  era = 0

  constructor(bridge: Bridge) {
    this.bridge = bridge
  }

  readonly state = (): ChatState => this.#state
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  set(news: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...news }
    for (const watcher of this.#watchers) watcher()
  }

  add(news: News): number {
    const id = ++this.#made
    this.set({ entries: [...this.#state.entries, { ...news, id }] })
    return id
  }

  /** Changes an entry; null takes it out. */
  change(id: number, next: (entry: Entry) => Entry | null): void {
    this.set({
      entries: this.#state.entries.flatMap((entry) => (entry.id === id ? (next(entry) ?? []) : [entry])),
    })
  }

  /** Whether nothing can be asked just now. */
  get isBusy(): boolean {
    return this.#state.isThinking || this.#state.slicing !== null
  }

  /** Everything that was said is put away; what is kept on the server stays there. */
  startOver(): void {
    this.chatId = null
    this.era++
    this.set(FRESH)
  }

  setPopUp(popsUp: boolean): void {
    writeStored(POP_UP_KEY, String(popsUp))
    this.set({ popsUp })
  }
}
