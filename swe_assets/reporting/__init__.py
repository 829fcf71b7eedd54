"""Results as tables that a page, a paper and a check are made from, the same for every study.

* ``table_shape``: Column, Table and Analysis; ``tables``: these as JSON there and back, and as CSV
* ``latex``: a table for a paper; ``readable``: how a cell is put for people
"""
