/**
 * What `./vigil test` leaves to `./vigil test --all`, with the reason: a file of tests, or a test of one (`file > how its name begins`).
 * The gate has all behaviour, all guards, and one representative of each kind of attack, fault and real part; what is here is dear and
 * watches over something that a gate already watches in small.
 */
const ONLY_ALL: Readonly<Record<string, string>> = {
  'server/test/hostile/fuzz.test.ts':
    'three minutes of made-up calls; server/test/hostile/values.test.ts sends hostile values to every route, server/test/document.ts holds every answer against the document',
  'server/test/release/package.test.ts':
    'installs the package of a release from the registry; scripts/release.test.ts looks at what is in it',
  'server/test/release/helm.test.ts':
    'builds Helm and kubeconform from the Go proxy; scripts/deploy.test.ts looks at the chart’s version and settings',
  'server/cli/update.test.ts':
    'updates of a running server, stopped at each point; server/supervisor/update-journal.test.ts copies the database and puts it back',
  'server/test/faults/rolling.test.ts':
    'eight starts of four nodes for one update; server/test/faults/company.test.ts has nodes of one version come and go under the same load',
  'e2e/remote/spread.test.ts':
    'two nodes and a Redis: tunnel.test.ts and real/tunnel.test.ts go over two nodes, too',
  'e2e/slice/slicers.test.ts':
    'PrusaSlicer driven by its window; what it asks stands in server/modules/slice/slicers/slicers.test.ts',
  'e2e/slice/installing.test.ts':
    'a server of its own for one click; installing.test.ts asks the server, SliceScreen.test.tsx clicks',
  'e2e/slice/slicing.test.ts > own project, bad mesh, cancelled':
    'slicing.test.ts refuses, slices and cancels by the API, SliceScreen.test.tsx uses the page; the way from the catalogue to a print stays',
  'e2e/remote/fanout.test.ts':
    'a second network for the same pictures: video.test.ts has the direct way, server/modules/remote/sfu the words and packets',
  'e2e/prints/stats.test.ts':
    'web/src/features/prints/stats/StatsScreen.test.tsx uses the page, stats.test.ts asks the server',
  'e2e/prints/gallery.test.ts':
    'its rules stand in server/modules/prints/gallery/gallery.test.ts, its forms in web/src/features/prints/gallery/gallery.test.tsx; look-prints.test.ts looks at its pages',
  'e2e/printers/control.test.ts > octoprint:':
    'toolhead.test.ts heats and moves OctoPrint, real/tunnel.test.ts prints on a real one, the Klipper one stays',
  'e2e/files/cloud-print.test.ts > files on klipper':
    'the same steps with the other agent; server/modules/remote/printer-files has what each of them says',
  'server/test/faults/starved.test.ts':
    'supervisor.test.ts has hundreds come at once, of whom a turn takes few, hang.test.ts a server that is short of a processor and is late, not hung',
  'server/test/faults/hours.test.ts':
    'two servers and a Redis, killed again and again: server/modules/shop/hours/usage.test.ts books on two nodes, in transactions that die',
  'server/test/faults/kill.test.ts > prints that begin together':
    'server/modules/prints/prints/together.test.ts loses the database in the same place, without killing the server',
  'server/engines/db/backup.major.test.ts':
    'a PostgreSQL of another major, fetched from npm; backup.test.ts restores the same rows on the one that ships',
  'server/test/caddy.test.ts':
    'a second proxy before the same server: nginx.test.ts has the headers, sockets and paths',
  'e2e/shop/plans.test.ts > a code for hours is redeemed once':
    'coupons.test.ts asks the server, CouponsScreen.test.tsx uses the page',
  'e2e/shop/plans.test.ts > a plan grows at once':
    'buying.test.ts asks the server, buying.test.tsx uses the page; the way through the page of prices and the checkout stays',
  'e2e/shop/plans.test.ts > a card that is declined':
    'the same steps stand in server/modules/shop/payments/buying.test.ts, the page’s words in SubscriptionScreen.test.tsx',
  'e2e/shop/plans.test.ts > hours that never expire': 'the same checkout as of a plan, which stays',
  'e2e/shop/plans.test.ts > a code for a year':
    'PartnerScreen.test.tsx leads to the checkout, buying.test.ts takes the code; a partner that gives its plan stays',
  'server/test/faults/notifications.test.ts > kill -9 of messages that were held back':
    'the same rows and the same kill as of messages that go out; what is held back stands in server/modules/tell/notifications',
  'e2e/people/settings.test.ts':
    'settings.test.tsx and ShareDialog.test.tsx use its forms; settings.test.ts and sharing.test.ts ask the server',
  'e2e/people/accounts.test.ts':
    'sign-in.test.tsx and LoginScreen.test.tsx use its forms, accounts.test.ts asks the server; start.test.ts signs in by keys and lands where one wanted, brands.test.ts has the tabs of a phone, keyboard.test.ts the way to the content',
  'e2e/people/doors.test.ts > a provider that is down':
    'identities.test.ts has a provider that is away, LoginScreen.test.tsx what is said',
  'e2e/people/doors.test.ts > who says no at the provider':
    'identities.test.ts has a person who says no, LoginScreen.test.tsx what is said',
  'e2e/people/doors.test.ts > who runs this server tries its mail':
    'admin.test.tsx uses both pages, operations.test.ts has the letter come and the files counted',
  'e2e/people/doors.test.ts > an owner confirms the address':
    'emails.test.tsx uses its pages, emails.test.ts follows the link; a letter is followed for a new password, and for an invitation',
  'e2e/people/doors.test.ts > the phone app signs in':
    'mobile.test.ts has each of its pages and the key, unsubscribe.test.ts the link below letters',
  'e2e/tell/channels.test.ts':
    'ChannelFields.test.tsx has each form, channels.test.ts each channel; reached.test.ts sets one up and proves it',
  'e2e/tell/notifications.test.ts':
    'notifications.test.tsx and RulesScreen.test.tsx use its pages, notifications.test.ts and rules.test.ts ask the server; reached.test.ts goes from a new printer to a message that has come',
  'e2e/watch/feedback.test.ts > an owner consents':
    'feedback.test.tsx answers by button, key and dot, shots.test.ts pays once; a finger that answers all stays',
  'e2e/watch/feedback.test.ts > the survey wants':
    'feedback.test.tsx uses the page, survey.test.ts keeps the answers; history.test.ts has a film play',
  'e2e/watch/feedback.test.ts > a nozzle camera':
    'NozzleScreen.test.tsx uses the page, ext.test.ts keeps what it sets',
  'e2e/shop/plans.test.ts > who signs up tries Pro':
    'WelcomeScreen.test.tsx and ArchivedScreen.test.tsx have its pages, subscriptions.test.ts the trial; a plan that is over, and the printer put away on an open page, stay',
  'e2e/core/events.test.ts > filters are toggles': 'EventsScreen.test.tsx and filters.test.ts have them',
  'e2e/core/events.test.ts > what an agent writes':
    'the same words come to an open page one test before, on a desk',
  'e2e/core/toasts.test.ts > a toast covers nothing that is being used, a dialog stands above toasts: 1440':
    'a phone, which has less room, stays',
  'e2e/remote/tunnel.test.ts':
    'a server of its own for the same ways before a simulated page: real/tunnel.test.ts opens a real one from its card, framed, loses its agent, and lets an app in; AuthorizeScreen.test.tsx has those who ask, grants.test.ts the cap',
  'e2e/prints/history.test.ts > filters hide prints':
    'History.test.tsx and filters.test.ts have the filters and their address, PeriodDialog.test.tsx the days',
  'server/modules/files/cloud-prints/cloud-prints.test.ts > is printed by ':
    'e2e/real/tunnel.test.ts has a real OctoPrint and a real Moonraker print a file of the cloud to its end',
  'server/cli/backup.test.ts > a whole backup comes back on another machine':
    'nine commands, each its own process and PostgreSQL: whole.test.ts puts rows, files and the key back; a file by the commands stays',
  'server/test/faults/timelapse.test.ts':
    'kill.test.ts kills, disk.test.ts fills the disk; timelapse.test.ts of the module takes over what somebody began who has gone',
  'server/test/faults/uploads.test.ts':
    'kill.test.ts kills, disk.test.ts fills the disk; resumable.test.ts keeps what had come, over a restart, and the disk’s floor',
  'e2e/prints/simulate.test.ts':
    'the README’s examples, each its own process; first-print.test.ts and alert.test.ts have the same simulated printers end in a pause',
  'e2e/prints/print-page.test.ts > prints it again where it lies':
    'reprint.test.ts asks the server and an agent, control.test.tsx presses the button of a printer that got busy',
  'e2e/core/look-many.test.ts':
    'the same pages with seven of each: look.test.ts and look-prints.test.ts look at them, one by one',
  'e2e/real/tunnel.test.ts > in a window of its own is signed in to and live':
    'a real OctoPrint is signed in to, live and printed on by the other node, told apart by subdomains, one test further; Moonraker stands in a window of its own',
  'e2e/remote/video.test.ts > plays for four at once':
    'one viewer plays, and two cameras at once; sessions of viewers who vanish are ended in server/modules/remote',
  'e2e/remote/video.test.ts > is seen by whoever has the link':
    'server/modules/remote/video/video.test.ts has who may watch by a link which cameras; the page is one that look.test.ts looks at',
  'e2e/remote/video.test.ts > plays on the list by itself':
    'ladder.test.ts has agents of old, cycle.test.ts and video.test.ts the half minutes without Pro; a card shows the same picture',
  'e2e/remote/video.test.ts > goes on though packets are lost':
    'a line that is spoilt in four ways; that there is no way, and why, stays',
  'e2e/files/queue.test.ts > over a restart':
    'server/modules/files/queue holds what waits in rows; control.test.ts restarts a server beneath its pages',
  'e2e/remote/video.test.ts > comes back by itself when the server':
    'control.test.ts restarts a server beneath a page',
  'e2e/shop/plans.test.ts > who is signed in redeems':
    'PartnerScreen.test.tsx uses the page, coupons.test.ts takes the code',
  'e2e/prints/print-page.test.ts > can be read and touched':
    'two more looks of a page that look-prints.test.ts looks at',
  'e2e/prints/print-page.test.ts > without a video':
    'PrintPage.test.tsx plays pictures, and says why a video is gone',
  'e2e/prints/history.test.ts > a verdict is given':
    'History.test.tsx gives verdicts and deletes what is chosen; change.test.ts asks the server',
  'e2e/prints/history.test.ts > on a phone, at night':
    'History.test.tsx deletes what is chosen, print-page.test.ts plays films; look-prints.test.ts looks at both pages',
  'e2e/printers/addresses.test.ts':
    'a server of its own for what it answers: linking.test.tsx and ShareDialog.test.tsx give those addresses on, addresses.test.ts finds them; print-page.test.ts has a stranger read the help',
  'e2e/core/errors.test.ts':
    'control.test.tsx and linking.test.tsx say each of them, with the answers that lead there',
  'e2e/printers/toolhead.test.ts > Klipper:':
    'control.test.ts heats, moves and speaks G-code on Klipper; control.test.tsx reads the offset back and puts widgets in order, temperatures.test.ts keeps the line',
  'e2e/printers/linking.test.ts > a new owner has a watched printer':
    'first-print.test.ts goes the same way, with its clicks and its minute',
  'e2e/printers/linking.test.ts > a passcode from the printer':
    'linking.test.tsx types it, server/modules/printers/linking/linking.test.ts links the agent that shows it',
  'e2e/printers/linking.test.ts > the link beside a passcode':
    'linking.test.tsx has the link, server/modules/printers/linking/linking.test.ts the agent',
  'e2e/printers/linking.test.ts > linking again makes a new token':
    'server/modules/printers/linking/linking.test.ts links again and ends the old token; the way is that of first-print.test.ts',
  'e2e/printers/control.test.ts > a printer without power':
    'control.test.tsx of the page has it; in the test before, the agent goes',
  'e2e/printers/reports.test.ts > without a collector':
    'control.test.ts sees that its page asks nobody else and loads no such code',
  'e2e/files/files.test.ts > what is refused or fails':
    'FoldersScreen.test.tsx has each of these dialogs; store.test.ts asks the server',
  'e2e/files/cloud-print.test.ts > a file of the cloud is printed on ':
    'the file that the picker uploads is printed by the same dialog; real/tunnel.test.ts prints from the cloud on real printers',
}

/** Whether everything runs: `./vigil test --all`, and whoever names tests or calls vitest. */
export const isAll = process.env['VIGIL_SUITE'] !== 'gate'

/** Files that the gate leaves out whole. */
export const filesOfAll = Object.keys(ONLY_ALL).filter((key) => !key.includes(' > '))

/** Tests that it leaves out of files that it runs, with the reason. */
export const testsOfAll = Object.entries(ONLY_ALL).flatMap(([key, reason]) => {
  const [file = '', name] = key.split(' > ')
  return name === undefined ? [] : [{ file, name, reason }]
})

/** How often, how many, which of them: the gate's number, and the one of `--all`. The same code runs either. */
export const inSuite = <T>(gate: T, all: T): T => (isAll ? all : gate)
