// Where the built server stands (docs/decisions/0025-a-built-server.md). Plain JavaScript for Node 20 without any package:
// scripts/bootstrap.mjs reads it before anything is installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What `child.ts` reads of ours: other sources make another server. */
export const SOURCES = ['server', 'contract', 'locales', 'package.json']
const HASH_CHARACTERS = 16

/** The folder of what is built of the sources below `root` as they are now, whether it is there or not. @param {string} root */
export const builtFolder = (root) =>
  join(root, 'server/dist', hashOf(root, SOURCES).slice(0, HASH_CHARACTERS))

/** The hash of names and contents, without tests. @param {string} root @param {readonly string[]} paths files and folders below it */
export function hashOf(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    for (const file of filesOf(join(root, path)))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  return hash.digest('hex')
}

/** @param {string} name */
const isLeft = (name) => /^(node_modules|test|dist(\.\d+)?)$/.test(name) || name.includes('.test.')

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!existsSync(path)) return []
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch {
    return [path]
  }
  return entries
    .filter(({ name }) => !isLeft(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)]))
}
