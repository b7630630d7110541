/** What a release holds is what its code asks for; installing and starting it is server/test/release/package.test.ts. */
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf, packedFiles } from './release/files.ts'
import { BUNDLED, manifest } from './release/manifest.ts'
import { releaseNotes } from './release/stage.ts'

const files = packedFiles()
const code = files
  .filter(({ from }) => from.endsWith('.ts'))
  .map((file) => ({ ...file, text: codeOf(file.from) }))
const places = new Set(files.map(({ to }) => to))

/** What a file imports, and starts beside itself. */
const asked = (text: string) =>
  [
    ...text.matchAll(/^(?:import|export)\b[^'"\n]{0,2000}?(?:\n[^'"]{0,4000}?)??\bfrom '([^'\\\s]+)'/gm),
    ...text.matchAll(/\bimport\('([^']+)'\)/g),
    ...text.matchAll(/\bnew URL\('(\.[^']+\.js)', import\.meta\.url\)/g),
  ].map(([, name = '']) => name)

test('every module that the packed code asks for is packed, or a package that it names', () => {
  const { dependencies, optionalDependencies } = manifest()
  const named = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...BUNDLED])
  const missing = code.flatMap(({ to, text }) =>
    asked(text)
      .filter((name) => {
        if (name.startsWith('.')) return name !== '../package.json' && !places.has(join(dirname(to), name))
        const own = /^@vigil\/(?:contract|simulator)\//.test(name)
        if (own) return !places.has(`node_modules/${name}`)
        return !isBuiltin(name) && !named.has(name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
      })
      .map((name) => `${to}: ${name}`),
  )
  expect(code.length).toBeGreaterThan(500)
  expect(missing).toEqual([])
})

test('no code of it is TypeScript, as Node reads none below node_modules', () => {
  expect([...places].filter((place) => /\.tsx?$/.test(place))).toEqual([])
  expect(code.filter(({ text }) => /\.ts['"`]/.test(text)).map(({ to }) => to)).toEqual([])
})

test('it holds what it needs to run, and no test, no recording of a person’s printer, no setting', () => {
  for (const place of [
    'server/cli/main.js',
    'server/child.js',
    'server/engines/db/migrations/0001-foundation.js',
    'server/engines/inference/model/card.json',
    'server/modules/tell/channels/ntfy.channel.js',
    'node_modules/@vigil/simulator/main.js',
    'node_modules/@vigil/contract/package.json',
    'locales/zh/core/server.json',
    'deploy/vigil.service',
    'README.md',
  ])
    expect(places).toContain(place)
  const unwanted = [...places].filter((place) =>
    /\.test\.|\/test\/|fixture|captures|\.env|\.vbk$/.test(place),
  )
  expect(unwanted).toEqual([])
})

test('its notes are what CHANGELOG.md says of this version', () => {
  expect(releaseNotes(String(manifest().version))).toMatch(/^### /)
})
