-- What wrk sends: argument 1 names it, argument 2 is the number of events. Each thread of wrk numbers its own requests.
local root = "/calendar/events/v1/events"
local day = 86400
local today = math.floor(os.time() / day)
-- Each run begins somewhere else.
local number = os.time() % 1000 * 1000
local size

local kinds = {
  -- The same as in pages.js.
  pages = function()
    local start = os.date("!%Y-%m-%d", (today - 730 + number * 7919 % 1278) * day)
    local pages = math.max(1, math.min(5, math.floor(size / 400)))
    return wrk.format("GET", string.format("%s?per_page=50&start_date=%s&page=%d", root, start, 1 + number % pages))
  end,
  record = function()
    -- Venues and organizers have the first IDs.
    local first = 1 + 2 * math.max(5, math.floor(size / 100 + 0.5))
    return wrk.format("GET", string.format("%s/%d", root, first + number * 7919 % size))
  end,
  create = function()
    local body = string.format(
      '{"title":"Created %d","start_date":"2026-12-05 19:00:00","end_date":"2026-12-05 21:00:00","description":"Doors open half an hour before."}',
      number)
    return wrk.format("POST", root, { ["content-type"] = "application/json" }, body)
  end,
}

local kind

function init(arguments)
  kind = kinds[arguments[1]]
  size = tonumber(arguments[2])
end

function request()
  number = number + 1
  return kind()
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("%d %d %d\n", summary.requests, summary.duration,
    errors.status + errors.read + errors.write + errors.timeout + errors.connect))
end
