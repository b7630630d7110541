import {
  type SimulatedPrinter,
  type SimulatorOptions,
  startSimulatedPrinter,
} from '@vigil/simulator/index.ts'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, onTestFailed } from 'vitest'
import { closeBrowser, useBrowser } from './browsers.ts'
import { type Look, wordsIn } from './looks.ts'
import {
  addPrinter,
  aPerson,
  atAnotherDevice,
  keepEvidence,
  type Person,
  takeFirstAccount,
} from './support.ts'
import { sharedVigil, startVigil, type Vigil } from './vigil.ts'

/** Time of detection runs so many times faster than life on the quick server; pictures come as fast (README, DETECTION_TIME_SCALE). */
export const SCALE = 20
/** Settings of a server whose detection is quick, and where anybody may sign up. */
export const QUICK = { DETECTION_TIME_SCALE: String(SCALE), ACCOUNT_ALLOW_SIGN_UP: 'true' } as const

/** Settings of servers that files share: more of those would only stand about. */
const SHARED: readonly unknown[] = [undefined, { IS_ENT: 'true' }, QUICK].map((env) => JSON.stringify(env))

interface WorkshopOptions {
  /** The server's settings. */
  readonly env?: Record<string, string>
  /** True: the server has a PostgreSQL of its own, in its folder. */
  readonly embedded?: boolean
  /** Of the owner's browser. */
  readonly profile?: Parameters<typeof aPerson>[0]
  /** False: the journeys create the first account themselves. */
  readonly withAccount?: boolean
  /** True: simulated printers run on from one journey to the next. */
  readonly machinesStay?: boolean
  /** A browser that is somewhere else than this machine's network. */
  readonly browserAt?: (address: string) => Promise<Browser>
}

/**
 * One server for the journeys of a file, and its owner before a browser; both are gone after the last journey. With
 * settings that many files have it is one that others had before, empty again.
 */
export function aWorkshop({
  env,
  embedded = false,
  profile,
  withAccount = true,
  machinesStay = false,
  browserAt,
}: WorkshopOptions = {}) {
  const isShared = SHARED.includes(JSON.stringify(env)) && withAccount && !embedded && !browserAt
  let vigil: Vigil
  let owner: Person
  const machines: SimulatedPrinter[] = []
  /** The newest, though it has been stopped. */
  let newest: SimulatedPrinter | undefined

  beforeAll(async () => {
    vigil = isShared ? await sharedVigil(env) : await startVigil(env, { embedded })
    if (browserAt) useBrowser(await browserAt(vigil.address))
    owner = await aPerson(profile)
    if (withAccount) await takeFirstAccount(owner.page, vigil)
  })
  afterAll(async () => {
    await closeBrowser()
    await vigil?.stop()
  })
  // Of those that end a file, the last one named runs first.
  const whenDone = machinesStay ? afterAll : afterEach
  whenDone(async () => {
    await Promise.all(machines.splice(0).map((machine) => machine.stop()))
  })

  /** A simulated printer of this server, until the journey ends. */
  function machine(options: Partial<SimulatorOptions>): SimulatedPrinter {
    const made = startSimulatedPrinter({
      server: vigil.address,
      statusEverySeconds: 1,
      reconnectPenaltyMs: 1000,
      ...options,
    })
    machines.push(made)
    newest = made
    return made
  }

  /** Should the running test fail, what this person saw is kept under that name, with what its printer was told last. */
  function evidence(name: string, person = owner): void {
    onTestFailed(() => keepEvidence(person, name, vigil, newest))
  }

  return {
    get vigil() {
      return vigil
    },
    get owner() {
      return owner
    },
    /** The address of a page. */
    at: (path: string) => `${vigil.address}${path}`,
    machine,
    /** A printer of the owner's whose simulated machine is connected. */
    async linked(name: string, options: Partial<SimulatorOptions> = {}) {
      const { id, auth_token: token } = await addPrinter(owner.page, name)
      const made = machine({ token, ...options })
      await made.ready
      return { id, machine: made }
    },
    evidence,
    /** The owner at another device, with the words of its language and evidence of that name. */
    async ownerAt(look: Look, name: string) {
      const person = await atAnotherDevice(owner, look)
      evidence(name, person)
      return { person, page: person.page, say: wordsIn(look.language) }
    },
    /** The same at the list of printers; without a look where the owner is already, in English. */
    async ownerBefore(look: Look | null, name: string) {
      if (look) {
        const there = await this.ownerAt(look, name)
        await there.page.goto(this.at('/printers/'))
        return there
      }
      evidence(name)
      return { person: owner, page: owner.page, say: wordsIn('en') }
    },
  }
}
