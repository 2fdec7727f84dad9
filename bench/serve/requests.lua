-- What wrk sends: argument 1 names it. Each thread of wrk numbers its own requests.
local root = "/calendar/events/v1/events"
local number = 0

local kinds = {
  page = function() return wrk.format("GET", root .. "?per_page=50") end,
  -- More pages of one list than answers are remembered.
  pages = function() return wrk.format("GET", string.format("%s?per_page=50&page=%d", root, 1 + number % 37)) end,
  -- A span that differs in each request, so that nothing of an earlier answer can be used.
  spans = function()
    local day, month = 1 + number % 28, 1 + number % 12
    return wrk.format("GET", string.format("%s?per_page=50&start_date=2026-%02d-%02d&page=%d", root, month, day, 1 + number % 37))
  end,
  record = function() return wrk.format("GET", string.format("%s/%d", root, 1001 + number * 7919 % 50000)) end,
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
