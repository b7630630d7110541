import { expect, test } from 'vitest'
import { Intake } from './memory-limit.ts'

test('beyond the limit whoever holds most loses the largest, and only that', () => {
  const intake = new Intake(100)
  const cut: string[] = []
  const open = (who: string, name: string) => intake.open(who, () => cut.push(name))
  const [agent, one, two, three] = [
    open('agent', 'agent'),
    open('bad', 'one'),
    open('bad', 'two'),
    open('bad', 'three'),
  ]
  agent.add(40)
  one.add(10)
  two.add(25)
  three.add(20)
  expect(cut).toEqual([])
  one.add(10)
  expect(cut).toEqual(['two'])
  expect(intake.total).toBe(80)
})

test('what has ended is held no more, and the next begins at nothing', () => {
  const intake = new Intake(100)
  let cuts = 0
  const socket = intake.open('agent', () => cuts++)
  for (let i = 0; i < 50; i++) {
    socket.add(90)
    socket.release()
  }
  expect([cuts, intake.total]).toEqual([0, 0])
})

test('one that is cut may go on, and is cut again', () => {
  const intake = new Intake(100)
  let cuts = 0
  const socket = intake.open('agent', () => cuts++)
  for (let i = 0; i < 10; i++) socket.add(60)
  expect([cuts, intake.total]).toEqual([5, 0])
})
