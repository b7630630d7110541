import { expect, test } from 'vitest'
import type { PrinterEntry } from '../../../printer/driver/driver.ts'
import { factsIn } from '../../../printer/driver/files.ts'
import { klipperFiles } from '../../../printer/driver/klipper-files.ts'
import { octoprintFiles } from '../../../printer/driver/octoprint-files.ts'
import { baseOf, folderOf, inOrder } from './entries.ts'

const entry = (name: string, more: Partial<PrinterEntry> = {}): PrinterEntry => ({
  kind: 'file',
  name,
  path: name,
  size: 1,
  modifiedAt: 1,
  signature: null,
  facts: factsIn({}),
  ...more,
})

test('folders stand first, then files in the order that was asked for', () => {
  const all = [entry('b10'), entry('b9', { size: 3 }), entry('z', { kind: 'folder', size: null })]
  const names = (by: 'name' | 'size', direction: 'asc' | 'desc') =>
    inOrder(all, { by, direction }).map(({ name }) => name)
  expect(names('name', 'asc')).toEqual(['z', 'b9', 'b10'])
  expect(names('size', 'desc')).toEqual(['z', 'b9', 'b10'])
  expect(names('size', 'asc')).toEqual(['z', 'b10', 'b9'])
})

test('paths have a folder and a name', () => {
  expect([baseOf('a/b.gcode'), folderOf('a/b.gcode'), baseOf('b'), folderOf('b')]).toEqual([
    'b.gcode',
    'a',
    'b',
    '',
  ])
})

test('what Moonraker tells of a folder is read, what is hidden or no G-code is left out', () => {
  const ret = {
    dirs: [
      { dirname: 'sub', modified: 5 },
      { dirname: '.thumbs', modified: 5 },
      { dirname: 'Obico_Upload', modified: 5 },
    ],
    files: [
      { filename: 'a.gcode', modified: 1700000000, size: 9, estimated_time: 60, slicer: 'Cura' },
      { filename: 'b.GCO', modified: 1700000000.5, size: 'x' },
      { filename: 'notes.txt', modified: 1, size: 1 },
      null,
    ],
  }
  const read = klipperFiles.read(ret, 'top')
  expect(read.map(({ kind, path, size, signature }) => [kind, path, size, signature])).toEqual([
    ['folder', 'top/sub', null, null],
    // As Python writes it, and so its agent.
    ['file', 'top/a.gcode', 9, 'ts:1700000000.0'],
    ['file', 'top/b.GCO', null, 'ts:1700000000.5'],
  ])
  expect(read[1]?.facts).toMatchObject({ estimated_time: 60, slicer: 'Cura' })
  expect([null, [], 'x', { dirs: 1, files: {} }].map((strange) => klipperFiles.read(strange, ''))).toEqual([
    [],
    [],
    [],
    [],
  ])
})

test('what OctoPrint tells is read: a folder, and the tree of a search', () => {
  const file = {
    name: 'a_b.gcode',
    display: 'a b.gcode',
    path: 'sub/a_b.gcode',
    type: 'machinecode',
    size: 12,
    date: 1700000000,
    hash: 'abc',
    analysis: { estimatedPrintTime: 7.5, filament: { tool0: { length: 3 }, tool1: { length: 4 } } },
  }
  const sub = { name: 'sub', path: 'sub', type: 'folder', children: { 'a_b.gcode': file } }
  const hidden = { path: 'ObicoUpload', type: 'folder', children: { x: { ...file, path: 'ObicoUpload/x' } } }
  const ret = { local: { sub, ObicoUpload: hidden, 'a.stl': { type: 'model', path: 'a.stl' }, odd: 5 } }
  expect(octoprintFiles.read(ret, '').map(({ kind, path }) => [kind, path])).toEqual([['folder', 'sub']])
  expect(octoprintFiles.search?.read(ret)).toEqual([
    {
      kind: 'file',
      name: 'a b.gcode',
      path: 'sub/a_b.gcode',
      size: 12,
      modifiedAt: 1700000000_000,
      signature: 'md5:abc',
      facts: { ...factsIn({}), estimated_time: 7.5, filament_total: 7 },
    },
  ])
  expect(octoprintFiles.search?.ask('a.b(').kwargs).toEqual({ filter: String.raw`a\.b\(`, recursive: true })
})
