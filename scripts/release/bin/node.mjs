// Prints the Node that Vigil runs on: the pinned one that came with the package, else this one if it is new enough.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const SERVER_NODE = 24

function pinned() {
  try {
    const found = createRequire(import.meta.url).resolve(
      `node-${process.platform}-${process.arch}/package.json`,
    )
    const program = join(dirname(found), 'bin/node')
    return spawnSync(program, ['-v']).status === 0 ? program : null
  } catch {
    return null
  }
}

const program =
  pinned() ?? (Number.parseInt(process.versions.node, 10) >= SERVER_NODE ? process.execPath : null)
if (program === null) {
  console.error(
    `vigil: the server needs Node ${SERVER_NODE}; npm has none for ${process.platform}-${process.arch}, and this is ` +
      `Node ${process.versions.node}. Install Node ${SERVER_NODE} and try again.`,
  )
  process.exitCode = 1
} else console.log(program)
