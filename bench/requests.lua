-- Sends the requests of a list file in turn and prints what wrk measured as one line of JSON.
-- A line of the file is METHOD, path and body (may be empty), separated by tabs. With one thread, every server gets the
-- same requests in the same order.
--
-- With a thread for each connection (`own`), the latencies are those that each client saw. Otherwise they are wrk's, which
-- adds the requests that a client would have sent while it waited: one stall of 300 ms in 4 s makes a p99 of 250 ms.

local ffi = require("ffi")
ffi.cdef "typedef struct { long s; long ns; } timespec; int clock_gettime(int clock, timespec *time);"
local CLOCK_MONOTONIC = 1
local time = ffi.new("timespec")

local function now()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return tonumber(time.s) * 1e3 + tonumber(time.ns) / 1e6
end

local threads = {}
local requests = {}
local at = 0
local sent_at = 0
latencies = {}

function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

function init(args)
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    local headers = nil
    if body == "" then
      body = nil
    else
      headers = { ["content-type"] = "application/json" }
      for name, value in pairs(wrk.headers) do headers[name] = value end
    end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
  if args[2] == "own" then
    -- Apart, because clients that ask for the same thing would share reads.
    at = number * math.floor(#requests / tonumber(args[3]))
    response = function() latencies[#latencies + 1] = now() - sent_at end
  end
end

function request()
  at = at % #requests + 1
  sent_at = now()
  return requests[at]
end

local function percentiles(latency)
  local all = {}
  for _, thread in ipairs(threads) do
    for _, each in ipairs(thread:get("latencies")) do all[#all + 1] = each end
  end
  if #all == 0 then return latency:percentile(50) / 1000, latency:percentile(99) / 1000 end
  table.sort(all)
  return all[math.ceil(#all * 0.5)], all[math.ceil(#all * 0.99)]
end

function done(summary, latency)
  local errors = summary.errors
  local p50, p99 = percentiles(latency)
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"non2xx":%d,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, p50, p99,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
