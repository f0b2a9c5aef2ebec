"""The same rows and questions in DuckDB: import of the table, reports in memory, export as JSON lines."""

import json
import os
import random
import sys
import time

import duckdb

table, exported = sys.argv[1:3]
db = duckdb.connect()
db.execute("SET enable_progress_bar = false")

factors = ", ".join(f"('fuel{n}', {(21_000 + n * 448) / 100_000:.5f}::DECIMAL(9, 5))" for n in range(30))
begin = time.perf_counter()
db.execute(
    f"""
    CREATE TABLE activity AS
    SELECT row_number() OVER () AS id, syncId, name, quantity::DECIMAL(18, 3) AS quantity, unit, product, startDate::DATE AS day,
           list_position(['scope1', 'scope2', 'scope3.1', 'scope3.4'], scope)::INTEGER AS scope,
           replace(org, 'site', '')::INTEGER AS org, replace(taxonomy, 'kind', '')::INTEGER AS taxonomy,
           quantity::DECIMAL(18, 3) * factor.kg AS co2e
    FROM read_csv(?, header = true, all_varchar = true) JOIN (VALUES {factors}) AS factor (name_of, kg) ON product = name_of
    """,
    [table],
)
took = time.perf_counter() - begin
rows = db.execute("SELECT count(*) FROM activity").fetchone()[0]

random.seed(1)
times = []
for number in range(200):
    first, last = sorted(random.randrange(1096) for _ in range(2))
    question = f"""
        SELECT count(*), sum(co2e), list(DISTINCT scope), list(DISTINCT org), list(DISTINCT taxonomy) FROM activity
        WHERE day BETWEEN DATE '2022-01-01' + {first} AND DATE '2022-01-01' + {last}"""
    for bit, column, values in [(1, "org", 425), (2, "scope", 4), (4, "taxonomy", 20)]:
        if number & bit:
            question += f" AND {column} = {random.randrange(values) + (column == 'scope')}"
    asked = time.perf_counter()
    db.execute(question).fetchall()
    times.append(time.perf_counter() - asked)
times.sort()

begin = time.perf_counter()
db.execute(f"COPY (SELECT * FROM activity ORDER BY day, id) TO '{exported}' (FORMAT JSON)")
export = time.perf_counter() - begin

print(
    json.dumps(
        {
            "rows_per_second": rows / took,
            "report_p50_ms": times[len(times) // 2] * 1e3,
            "json_megabytes_per_second": os.path.getsize(exported) / 1e6 / export,
        }
    )
)
