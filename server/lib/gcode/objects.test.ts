import { expect, it } from 'vitest'
import { objectsOf } from './metadata.ts'

const of = (head: string) =>
  objectsOf(
    head,
    head.split('\n').flatMap((line) => (line.startsWith(';') ? [line.slice(1).trim()] : [])),
  )

it.each([
  [
    'EXCLUDE_OBJECT_DEFINE NAME=a CENTER=1,2\nEXCLUDE_OBJECT_DEFINE NAME=b\nEXCLUDE_OBJECT_DEFINE NAME=a\n',
    2,
  ],
  ['M486 T3\nM486 S0\n', 3],
  [
    '; printing object cube id:0 copy 0\nG1\n; printing object cube id:0 copy 1\n; printing object cube id:0 copy 0\n',
    2,
  ],
  [';MESH:cube.stl\nG1\n;MESH:NONMESH\n;MESH:lid.stl\n;MESH:cube.stl\n', 2],
  ['; EXCLUDE_OBJECT_DEFINE NAME=x\nG28\n', null],
  ['M486 T0\nG28', null],
])('a file that begins %j prints %j objects', (head, count) => {
  expect(of(head)).toBe(count)
})

it('a file of nothing but objects is read in no time, and counted to a thousand', () => {
  const line = 'EXCLUDE_OBJECT_DEFINE NAME='
  const many = Array.from({ length: 60_000 }, (_, n) => line + n).join('\n')
  expect(of(many)).toBe(1000)
  expect(of(line.repeat(70_000))).toBe(1)
})
