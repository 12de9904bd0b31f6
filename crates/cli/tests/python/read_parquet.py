"""Opens what `waterjar export --format hf` wrote with pyarrow, and holds its columns against those the card declares."""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

folder = Path(sys.argv[1])
_, head, _ = (folder / "README.md").read_text().split("---\n", 2)
declared, config, name = {}, None, None
for line in head.split("dataset_info:\n")[1].splitlines():
    key, _, value = line.strip().removeprefix("- ").partition(": ")
    if key == "config_name":
        config = declared.setdefault(value, {"columns": []})
    elif key == "name":
        name = value
    elif key == "dtype":
        config["columns"].append([name, value])
    elif key == "num_examples":
        config["rows"] = int(value)

types = {"string": "string", "int32": "int32", "double": "float64", "bool": "bool"}
found = {}
for config in declared:
    table = pq.ParquetDataset(sorted(folder.glob(f"data/{config}-*.parquet"))).read()
    table.validate(full=True)
    columns = [[field.name, types[str(field.type)]] for field in table.schema]
    found[config] = {"columns": columns, "rows": table.num_rows}
print(json.dumps({"declared": declared, "found": found, "outcomes": sorted(set(table["outcome"].to_pylist()))}))
