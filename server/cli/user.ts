import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import {
  createUser,
  listUsers,
  resetFactors,
  setPassword,
  setPlan,
} from '../modules/people/accounts/index.ts'
import { keepAccount } from '../modules/people/leaving/index.ts'
import { type Plan, PLAN_NAMES } from '../modules/shop/entitlements/index.ts'
import { type Command, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { withContext } from './context.ts'

const help = `People who may sign in.

  ./vigil user add EMAIL [--password-stdin] [--admin] [--brand NAME] [--json]
  ./vigil user password EMAIL [--password-stdin] [--brand NAME] [--json]
  ./vigil user plan EMAIL free|pro [--brand NAME] [--json]
  ./vigil user factors EMAIL --reset [--brand NAME] [--json]
  ./vigil user keep EMAIL [--brand NAME] [--json]
  ./vigil user list [--json]

  --password-stdin   read the password from standard input instead of asking for it
  --admin            may administer this installation
  --reset            have a lost second factor removed: the owner has 24 hours to object
  --brand NAME       whose accounts it is one of, with several brands; the first without it
  --json             one JSON object a line`

const OPTIONS = {
  'password-stdin': { type: 'boolean', default: false },
  admin: { type: 'boolean', default: false },
  reset: { type: 'boolean', default: false },
  brand: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>['values']

export const user: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [verb, email, ...rest] = positionals
    if (verb === 'list' && email === undefined) return list(values)
    if (verb === 'plan' && email !== undefined && isPlan(rest[0]) && rest.length === 1)
      return plan(email, rest[0], values)
    if (verb === 'factors' && email !== undefined && values.reset && rest.length === 0)
      return factors(email, values)
    if (verb === 'keep' && email !== undefined && rest.length === 0) return keep(email, values)
    const act = verb === 'add' ? add : verb === 'password' ? password : null
    if (act === null || email === undefined || rest.length > 0) {
      throw new UsageError(
        'Say "user add EMAIL", "user password EMAIL", "user plan EMAIL free|pro", "user factors EMAIL --reset", "user keep EMAIL" or "user list". See ./vigil user --help.',
      )
    }
    return act(email, values)
  },
}

async function add(email: string, values: Values): Promise<number> {
  const config = loadConfig()
  const secret = await readPassword(values['password-stdin'])
  const { id } = await withContext(config, (ctx) =>
    createUser(ctx, { email, password: secret, isAdmin: values.admin, brand: values.brand }),
  )
  print(values.json ? { id, email, is_admin: values.admin } : `${email} may sign in now.`)
  return OK
}

async function password(email: string, values: Values): Promise<number> {
  const config = loadConfig()
  const secret = await readPassword(values['password-stdin'])
  await withContext(config, (ctx) => setPassword(ctx, { email, password: secret, brand: values.brand }))
  print(values.json ? { email } : `${email} has a new password; other sessions have ended.`)
  return OK
}

const isPlan = (word: string | undefined): word is Plan => PLAN_NAMES.some((name) => name === word)

async function plan(email: string, name: Plan, values: Values): Promise<number> {
  const config = loadConfig()
  await withContext(config, (ctx) => setPlan(ctx, { email, plan: name, brand: values.brand }))
  const unused = config.IS_ENT ? '' : ' Plans count in the enterprise edition only (IS_ENT).'
  print(values.json ? { email, plan: name } : `${email} has the plan ${name} now.${unused}`)
  return OK
}

async function factors(email: string, values: Values): Promise<number> {
  const config = loadConfig()
  const isNew = await withContext(config, (ctx) => resetFactors(ctx, { email, brand: values.brand }))
  const begun = isNew
    ? `${email} is told by mail, where this server sends any. Without an objection the factors go 24 hours later.`
    : `That was asked for already.`
  print(values.json ? { email, asked: isNew } : begun)
  return OK
}

/** An account that its owner has deleted stays, while there is time. */
async function keep(email: string, values: Values): Promise<number> {
  const stays = await withContext(loadConfig(), (ctx) => keepAccount(ctx, { email, brand: values.brand }))
  const said = stays ? `${email} stays, and may sign in.` : `${email} was not about to go.`
  print(values.json ? { email, kept: stays } : said)
  return OK
}

async function list(values: Values): Promise<number> {
  const rows = await withContext(loadConfig(), listUsers)
  for (const { id, brand, email, isStaff, isActive, createdAt, lastActiveAt } of rows) {
    print(
      values.json
        ? {
            id,
            brand,
            email,
            is_admin: isStaff,
            is_active: isActive,
            created_at: createdAt,
            last_active_at: lastActiveAt,
          }
        : `${String(id).padStart(6)}  ${email}${isStaff ? '  admin' : ''}${isActive ? '' : '  disabled'}`,
    )
  }
  if (rows.length === 0 && !values.json) print('Nobody yet. Add somebody with ./vigil user add EMAIL')
  return OK
}

async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
      .toString('utf8')
      .replace(/\r?\n$/, '')
  }
  if (!process.stdin.isTTY)
    throw new UsageError('There is no terminal to ask for a password. Use --password-stdin.')
  const first = await ask('Password: ')
  if ((await ask('Once more: ')) !== first) throw new UsageError('These two differ. Nothing was changed.')
  return first
}

/** Asks on the terminal without showing what is typed. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve)
      terminal.once('SIGINT', () => reject(new UsageError('Nothing was changed.')))
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
