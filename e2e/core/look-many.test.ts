import { beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { lookThrough } from '../look.ts'
import { grow, type Many } from '../many.ts'
import { growPeople } from '../many-people.ts'
import { manyScreens } from '../many-screens.ts'
import { aPerson, complaintsBut, storeGcode } from '../support.ts'

/** A list says something else with none, with one, with more than a dialog is high, and with more than a page. */
const COUNTS = inSuite([7], [0, 1, 7, 60])
/** So many printers are connected; the others are offline, as most are that somebody has many of. */
const CONNECTED = 3

const workshop = aWorkshop({ env: { IS_ENT: 'true' }, machinesStay: true })
let has: Many = { printers: [], prints: [] }
let fileId = 0

beforeAll(async () => {
  const text = 'G28\nG1 X10 Y10 Z0.2 E1\nG1 X60 Y10 E3\n'
  fileId = await storeGcode(workshop.owner.page, 'what is printed.gcode', text)
})

for (const [time, count] of COUNTS.entries())
  test(`nothing to complain about with ${count} of each`, { timeout: 900_000 }, async () => {
    const { vigil, owner } = workshop
    const before = has.printers.length
    has = await grow(vigil, has, count)
    const about = { printer: has.printers[0]?.id ?? 0, print: has.prints[0] }
    await growPeople(vigil, about, before, count)
    for (const { token } of has.printers.slice(before, CONNECTED))
      await workshop.machine({ token, speed: 1, print: false }).ready
    const storageState = await owner.page.context().storageState()
    const screens = manyScreens({ count, printer: has.printers[0]?.id, print: has.prints[0], file: fileId })
    const person = await aPerson({ storageState })
    const found = await lookThrough(person, workshop.at, screens, time)
    expect(complaintsBut(person)).toEqual([])
    await person.close()
    expect(found).toEqual([])
  })
