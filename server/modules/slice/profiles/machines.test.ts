import { expect, it } from 'vitest'
import { inSuite } from '../../../../scripts/suites.ts'
import { isSlicerThere } from '../../../test/slicer.ts'
import { cubeOn, systemMachines } from '../../../test/sweep.ts'

const MANY = inSuite(4, 20)

it.skipIf(!isSlicerThere)(
  'machines of all makers slice a cube with what they come with',
  async () => {
    const machines = [...(await systemMachines()).values()]
    expect(machines.length).toBeGreaterThan(300)
    // Spread over all of them, and so over their makers.
    const some = Array.from({ length: MANY }, (_, i) => machines[Math.floor((i * machines.length) / MANY)]!)
    const failed: string[] = []
    for (const machine of some) {
      const made = await cubeOn(machine)
      if (typeof made === 'string' || made < 10_000) failed.push(`${machine.name}: ${made}`)
    }
    expect(failed).toEqual([])
  },
  120_000,
)
